"""reStructuredText to HTML by docutils, which may neither read files nor pass HTML through."""

import re
from dataclasses import replace
from typing import Any

from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.markup.whole_page import convert_whole_page
from ragcrawler.conversion.text.plain import as_document

MEDIA_TYPE = "text/x-rst"
# The time for a grid table grows with the square of its cells.
_MAX_CORNERS = 20_000
_GRID = re.compile(r"^[ \t]*\+[-=+]+\+[ \t]*$", re.MULTILINE)
_SETTINGS = {
    "_disable_config": True,
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "halt_level": 5,
    "report_level": 3,
    "warning_stream": False,
    "traceback": True,
    "input_encoding": "unicode",
    "output_encoding": "unicode",
    "syntax_highlight": "none",
    "math_output": "LaTeX",
    "embed_stylesheet": False,
    "stylesheet_path": "",
    "section_self_link": False,
    "toc_backlinks": False,
    "cloak_email_addresses": False,
    "smart_quotes": False,
}


def convert_restructured_text(text: str, url: str, limits: ConversionLimits) -> Converted:
    """Convert reStructuredText; what docutils cannot read at all stays as it is, with a warning.

    Raises:
        ConversionError: `empty` where no visible character is left, `too_deep`, `too_large`.
    """
    corners = sum(line.count("+") for line in _GRID.findall(text))
    if corners > _MAX_CORNERS:
        raise ConversionError("too_large", f"grid tables with over {_MAX_CORNERS} corners", url=url)
    as_it_is = as_document(text, url, MEDIA_TYPE)
    try:
        page, warnings = _page(as_it_is.markdown)
    # docutils raises AttributeError, IndexError, RecursionError and more for hostile texts
    except Exception as error:  # noqa: BLE001
        said = f"reStructuredText that docutils cannot read: {type(error).__name__}: {error}"
        metadata = replace(as_it_is.metadata, warnings=(*as_it_is.metadata.warnings, said))
        return replace(as_it_is, metadata=metadata)
    converted = convert_whole_page(
        page, url, limits, media_type=MEDIA_TYPE, converter="docutils", warnings=warnings
    )
    hidden = converted.metadata.hidden_characters + as_it_is.metadata.hidden_characters
    return replace(converted, metadata=replace(converted.metadata, hidden_characters=hidden))


def _page(text: str) -> tuple[str, tuple[str, ...]]:
    from docutils.core import publish_doctree, publish_from_doctree
    from docutils.parsers.rst import Parser

    from ragcrawler.conversion.markup.restructured_text.directives import register_directives
    from ragcrawler.conversion.markup.restructured_text.roles import tolerant_inliner
    from ragcrawler.conversion.markup.restructured_text.tree import mend

    register_directives(text)
    left_as_text: list[int] = []
    parser = Parser(inliner=tolerant_inliner(left_as_text))
    settings: dict[str, Any] = {**_SETTINGS, "line_length_limit": max(10_000, len(text))}
    tree = publish_doctree(text, parser=parser, settings_overrides=settings)
    count = len(left_as_text)
    left = (f"{count} paragraphs hold too much markup to read: it stays as it is",) if count else ()
    warnings = (*left, *mend(tree))
    page = publish_from_doctree(tree, writer="html5", settings_overrides=settings)
    return str(page), warnings

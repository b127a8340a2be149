"""DocBook to Markdown, by way of HTML."""

from collections import Counter
from typing import Any

from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.markup.docbook.tree import read_tree
from ragcrawler.conversion.markup.docbook.writer import DocBookWriter, title_of
from ragcrawler.conversion.markup.whole_page import convert_whole_page, page_of

MEDIA_TYPE = "application/docbook+xml"


def convert_docbook(text: str, url: str, limits: ConversionLimits) -> Converted:
    """Convert a document of DocBook.

    Raises:
        ConversionError: `damaged`, `too_deep` or `empty`.
    """
    lost: Counter[str] = Counter()
    root = read_tree(text, url, limits, lost)
    try:
        body = DocBookWriter(root).page(root)
    except RecursionError as error:
        raise ConversionError("too_deep", "elements nested too deep to walk", url=url) from error
    title = title_of(root)
    name = "".join(title.itertext()) if title is not None else root.findtext(".//refentrytitle") or ""
    page = page_of(
        body, title=" ".join(name.split()), language=root.get("lang", ""), author="; ".join(_authors(root))
    )
    warnings = tuple(f"left out: {phrase} ({count})" for phrase, count in lost.items() if count)
    return convert_whole_page(
        page, url, limits, media_type=MEDIA_TYPE, converter="docbook", warnings=warnings
    )


def _authors(root: Any) -> list[str]:
    """The authors of the whole, not those of its parts."""
    information = next((child for child in root if str(child.tag).endswith("info")), None)
    found = information.iter("author") if information is not None else ()
    names = (" ".join(" ".join(author.itertext()).split()) for author in found)
    return [name for name in names if name]

"""Markdown: kept as it is, but for its front matter, which goes into the metadata."""

import re
from collections.abc import Callable
from dataclasses import replace

from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.links import markdown_links
from ragcrawler.conversion.text.front_matter import read_front_matter
from ragcrawler.conversion.text.plain import as_document

_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$|^(\S.*)\n(?:=+|-+)[ \t]*$", re.MULTILINE)


def convert_markdown(text: str, url: str, _limits: ConversionLimits) -> Converted:
    """The text, its line ends made one kind; the title is the front matter's, the first heading or the file.

    Raises:
        ConversionError: `empty` where nothing is left beside the front matter.
    """
    return markdown_document(text, url, "text/markdown")


def markdown_document(
    text: str, url: str, media_type: str, *, rewrite: Callable[[str], str] = str
) -> Converted:
    """The same of a dialect of Markdown.

    Args:
        text: with its front matter.
        url: of it.
        media_type: of the dialect.
        rewrite: makes plain Markdown, with as many lines, of what stands below the front matter.

    Raises:
        ConversionError: `empty` where nothing is left.
    """
    front, body = read_front_matter(text)
    converted = as_document(rewrite(body), url, media_type)
    heading = _HEADING.search(converted.markdown)
    title = front.title or (next(filter(None, heading.groups())) if heading else converted.title)
    metadata = replace(
        front.metadata,
        media_type=media_type,
        converter="markdown",
        hidden_characters=converted.metadata.hidden_characters,
    )
    return replace(
        converted,
        title=title,
        metadata=metadata,
        links=markdown_links(converted.markdown, url),
        first_line=_lines(text[: len(text) - len(body)]) + (converted.first_line or 0),
    )


def _lines(text: str) -> int:
    """The line ends in a text, of any kind."""
    return text.count("\n") + text.count("\r") - text.count("\r\n")

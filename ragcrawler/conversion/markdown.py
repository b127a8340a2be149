"""Markdown: kept as it is, its front matter read into the metadata."""

import re

from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.plain import file_name
from ragcrawler.items import Metadata

_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*\s*$", re.MULTILINE)


def convert_markdown(text: str, url: str, limits: ConversionLimits) -> Converted:
    """The text with its line ends made one kind; the title is its first heading or its file name."""
    markdown = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n") + "\n"
    found = _HEADING.search(markdown)
    title = found.group(1) if found else file_name(url)
    return Converted(title, markdown, Metadata(media_type="text/markdown", converter="markdown"))

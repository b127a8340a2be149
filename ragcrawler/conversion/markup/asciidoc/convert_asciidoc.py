"""AsciiDoc to Markdown, by way of HTML.

Language: https://docs.asciidoctor.org/asciidoc/latest/.
"""

import re
from itertools import pairwise

from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.markup.asciidoc.blocks import BlockWriter
from ragcrawler.conversion.markup.asciidoc.inline import InlineWriter
from ragcrawler.conversion.markup.asciidoc.lines import Source
from ragcrawler.conversion.markup.whole_page import convert_whole_page, page_of

MEDIA_TYPE = "text/asciidoc"
_TITLE = re.compile(r"=\s+(\S.*)")
_AUTHOR = re.compile(r"([^\W\d_][^<>;:]{1,80}?)\s*<[^<>\s]{1,200}>|[^\W\d_][\w.'-]*(?: [\w.'-]+){1,3}$")
_REVISION = re.compile(r"v?\d[\w.]*(?:,\s.*)?$|v\d.*")
_SECTION = re.compile(r"={2,6}\s+(\S.*)")
_ID = re.compile(r"\[\[([\w:.-]+)[^\]]*\]\]$|\[#([\w-]+)[^\]]*\]$")


def convert_asciidoc(text: str, url: str, limits: ConversionLimits) -> Converted:
    """Convert a document of AsciiDoc.

    Raises:
        ConversionError: `empty`, `too_deep` or `too_large`.
    """
    source = Source(text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    "))
    title, author, lines = _header(source.lines)
    work = limits.work_of(url)
    inline = InlineWriter(source.substitute, work)
    inline.titles = _titles(lines)
    body = BlockWriter(inline, source.lost, work).html(lines)
    heading = f"<h1>{inline.html(title)}</h1>" if title else ""
    notes = "".join(
        f'<li id="asciidoc-note-{number}">{note}</li>' for number, note in enumerate(inline.notes, 1)
    )
    page = page_of(
        heading + body + (f"<ol>{notes}</ol>" if notes else ""),
        author=author or source.attributes.get("author", ""),
        description=source.attributes.get("description", ""),
        language=source.attributes.get("lang", ""),
    )
    warnings = [f"left out: {phrase} ({count})" for phrase, count in source.lost.items() if count]
    return convert_whole_page(
        page, url, limits, media_type=MEDIA_TYPE, converter="asciidoc", warnings=warnings
    )


def _header(lines: list[str]) -> tuple[str, str, list[str]]:
    """The title, the author, and the lines below them."""
    place = next((number for number, line in enumerate(lines) if line.strip()), 0)
    found = _TITLE.match(lines[place]) if lines else None
    if found is None:
        return "", "", lines
    place += 1
    author = _AUTHOR.match(lines[place]) if place < len(lines) else None
    if author is None:
        return found[1], "", lines[place:]
    place += 1
    if place < len(lines) and _REVISION.match(lines[place]):
        place += 1
    return found[1], author[1] or author[0], lines[place:]


def _titles(lines: list[str]) -> dict[str, str]:
    """Titles of sections by the ids before them."""
    titles = {}
    for line, below in pairwise(lines):
        name, section = _ID.match(line), _SECTION.match(below)
        if name and section:
            titles[name[1] or name[2]] = section[1]
    return titles

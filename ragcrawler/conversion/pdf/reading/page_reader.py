"""Read one page."""

import ctypes
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from ragcrawler.conversion.pdf.reading.beside_text import read_beside_text
from ragcrawler.conversion.pdf.reading.frame import Frame
from ragcrawler.conversion.pdf.reading.geometry import Box
from ragcrawler.conversion.pdf.reading.images import read_images
from ragcrawler.conversion.pdf.reading.page import Image, PageContent
from ragcrawler.conversion.pdf.reading.paths import read_drawing
from ragcrawler.conversion.pdf.reading.text.glyphs import Glyph, read_glyphs
from ragcrawler.conversion.pdf.reading.text.justified import as_set_in_columns
from ragcrawler.conversion.pdf.reading.text.lines import Line, Style, Word
from ragcrawler.conversion.pdf.reading.text.words import read_lines, read_words

_MAX_LINKS = 1_000  # on one page
_SCHEMES = ("http://", "https://", "mailto:")


class Link(NamedTuple):
    """An area that leads to an absolute URL."""

    box: Box
    url: str


def read_links(document: Any, page: Any, frame: Frame) -> Iterator[Link]:
    """The links that lead out of the document."""
    position, link = ctypes.c_int(0), pdfium.FPDF_LINK()
    for _ in range(_MAX_LINKS):
        if not pdfium.FPDFLink_Enumerate(page.raw, ctypes.byref(position), ctypes.byref(link)):
            return
        url = _url(document, link)
        area = pdfium.FS_RECTF()
        if url and pdfium.FPDFLink_GetAnnotRect(link, ctypes.byref(area)):
            yield Link(frame.box(area.left, area.bottom, area.right, area.top), url)


def _url(document: Any, link: Any) -> str:
    action = pdfium.FPDFLink_GetAction(link)
    if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
        return ""
    length = pdfium.FPDFAction_GetURIPath(document.raw, action, None, 0)
    buffer = ctypes.create_string_buffer(length)
    pdfium.FPDFAction_GetURIPath(document.raw, action, buffer, length)
    url = buffer.value.decode("utf-8", "replace").strip()
    return url if url.lower().startswith(_SCHEMES) and not any(c.isspace() for c in url) else ""


_SMALLEST_PRINT = 1.0  # points; smaller text cannot be read


def read_page(document: Any, number: int) -> PageContent:
    """Read page `number`, 0-based.

    Raises:
        pypdfium2.PdfiumError: the page cannot be loaded.
    """
    page = document[number]
    try:
        return _read(document, page, number)
    finally:
        page.close()


def _read(document: Any, page: Any, number: int) -> PageContent:
    frame, glyphs = _upright(page)
    width, height = frame.size
    upright = [glyph for glyph in glyphs if not glyph.look.turns]
    images = tuple(read_images(page, frame))
    painted = [glyph for glyph in upright if not glyph.look.invisible or _is_over_picture(glyph, images)]
    seen = list(_seen(painted, Box(0, 0, width, height)))
    links = list(read_links(document, page, frame))
    words = (_link(word, links) for word in read_words(seen))
    drawing = read_drawing(page, frame)
    lines = with_bullets(as_set_in_columns(read_lines(words, number)), drawing.bullets)
    return PageContent(
        number=number,
        width=width,
        height=height,
        lines=tuple(lines),
        drawing=drawing,
        images=images,
        hidden_characters=len(upright) - len(seen),
        turned_characters=len(glyphs) - len(upright),
        beside_text=read_beside_text(page),
    )


def _upright(page: Any) -> tuple[Frame, list[Glyph]]:
    """The frame in which most of the text stands upright: wide tables are often printed sideways."""
    text_page = page.get_textpage()
    left, bottom, right, top = page.get_bbox()
    frame = Frame(left, bottom, right, top, page.get_rotation() // 90)
    glyphs = list(read_glyphs(text_page, frame))
    turns = Counter(glyph.look.turns for glyph in glyphs if glyph.look.style).most_common(1)
    if turns and turns[0][0]:
        frame = replace(frame, quarter_turns=(frame.quarter_turns - turns[0][0]) % 4)
        glyphs = list(read_glyphs(text_page, frame))
    text_page.close()
    return frame, glyphs


def _seen(glyphs: Iterable[Glyph], area: Box) -> Iterator[Glyph]:
    """The glyphs that a reader sees, and the ends of lines that run over the edge of the page."""
    last: Glyph | None = None
    for glyph in glyphs:
        style = glyph.look.style
        if style is None:
            yield glyph
            continue
        inside = area.holds(glyph.box.middle, slack=2.0)
        if style.size >= _SMALLEST_PRINT and (inside or (last and _goes_on(last, glyph, style.size))):
            last = glyph
            yield glyph


def _is_over_picture(glyph: Glyph, images: Sequence[Image]) -> bool:
    """Invisible text over a scan is what OCR has read there; elsewhere it is meant for machines alone."""
    return any(image.box.holds(glyph.box.middle) for image in images)


def _goes_on(last: Glyph, glyph: Glyph, size: float) -> bool:
    return glyph.baseline == last.baseline and abs(glyph.box.x0 - last.box.x1) < size


def _link(word: Word, links: Sequence[Link]) -> Word:
    if not links:
        return word
    middle = word.box.middle
    url = next((link.url for link in links if link.box.holds(middle)), "")
    return replace(word, link=url) if url else word


_MOST_BULLETS = 300  # on one page; with more they are the points of a chart
_FARTHEST = 3.0  # in units of the font size, from the text


def with_bullets(lines: Sequence[Line], shapes: Sequence[Box]) -> list[Line]:
    """The lines, each with a `•` before it where a small shape stands right before it at half its height."""
    if not shapes or len(shapes) > _MOST_BULLETS:
        return list(lines)
    return [_with_bullet(line, shapes) for line in lines]


def _with_bullet(line: Line, shapes: Sequence[Box]) -> Line:
    top, bottom, left = line.box.top, line.box.bottom, line.box.x0
    farthest = _FARTHEST * line.style.size
    for shape in shapes:
        if top < shape.middle[1] < bottom and 0 < left - shape.x1 <= farthest:
            first = line.words[0]
            style = Style(first.style.font, first.style.size)
            return line.with_words((Word("•", shape, first.baseline, style), *line.words))
    return line

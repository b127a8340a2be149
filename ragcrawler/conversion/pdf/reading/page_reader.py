"""Read one page."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ragcrawler.conversion.pdf.reading.beside_text import read_beside_text
from ragcrawler.conversion.pdf.reading.bullets import with_bullets
from ragcrawler.conversion.pdf.reading.frame import Frame
from ragcrawler.conversion.pdf.reading.geometry import Box
from ragcrawler.conversion.pdf.reading.images import read_images
from ragcrawler.conversion.pdf.reading.links import Link, read_links
from ragcrawler.conversion.pdf.reading.page import Image, PageContent
from ragcrawler.conversion.pdf.reading.paths import read_drawing
from ragcrawler.conversion.pdf.reading.text.glyphs import Glyph, read_glyphs
from ragcrawler.conversion.pdf.reading.text.justified import as_set_in_columns
from ragcrawler.conversion.pdf.reading.text.lines import Word
from ragcrawler.conversion.pdf.reading.text.words import read_lines, read_words

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

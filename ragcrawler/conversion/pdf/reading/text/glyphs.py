"""The characters of a page, asked from PDFium one by one: each knows its font, the flat text does not."""

import ctypes
import math
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from ragcrawler.conversion.pdf.reading.frame import Frame
from ragcrawler.conversion.pdf.reading.geometry import Box
from ragcrawler.conversion.pdf.reading.text.lines import Style

_SUBSET_PREFIX = re.compile(r"^[A-Z]{6}\+")
_MONO_NAME = re.compile(
    r"mono|courier|consol|typewriter|menlo|cmtt|lmtt|\btt\b|code|terminal|fixed", re.IGNORECASE
)
_BOLD_NAME = re.compile(r"bold|black|heavy|semibold|demi|cmbx|lmbx|[-,]bd", re.IGNORECASE)
_ITALIC_NAME = re.compile(r"ital|obli|slant|cmti|cmsl", re.IGNORECASE)
# PDF 32000-1, table 123: font flags
_FIXED_PITCH, _ITALIC, _FORCE_BOLD = 1 << 0, 1 << 6, 1 << 18
_BOLD_WEIGHT = 600
_INVISIBLE = 3  # text rendering mode, PDF 32000-1, table 106


class Look(NamedTuple):
    """How a text object is painted.

    Attributes:
        style: None for white space that PDFium made up.
        invisible: not painted at all.
        turns: quarter turns, clockwise, from upright in the page's frame.
    """

    style: Style | None = None
    invisible: bool = False
    turns: int = 0


class Glyph(NamedTuple):
    """A character; `box` and `baseline` in the page's frame."""

    text: str
    box: Box
    baseline: float
    look: Look


def read_glyphs(text_page: Any, frame: Frame) -> Iterator[Glyph]:
    """The characters in the order of the content stream, white space included."""
    raw = text_page.raw
    loose, x, y = pdfium.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
    to_loose, to_x, to_y = ctypes.byref(loose), ctypes.byref(x), ctypes.byref(y)
    looks = {0: Look()}
    for index in range(pdfium.FPDFText_CountChars(raw)):
        character = pdfium.FPDFText_GetUnicode(raw, index)
        owner = pdfium.FPDFText_GetTextObject(raw, index)
        address = ctypes.addressof(owner.contents) if owner else 0
        if address not in looks:
            looks[address] = _look(raw, index, owner, frame)
        pdfium.FPDFText_GetLooseCharBox(raw, index, to_loose)
        pdfium.FPDFText_GetCharOrigin(raw, index, to_x, to_y)
        box = frame.box(loose.left, loose.bottom, loose.right, loose.top)
        yield Glyph(chr(character), box, frame.point(x.value, y.value)[1], looks[address])


def _look(raw: Any, index: int, owner: Any, frame: Frame) -> Look:
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(raw, index, ctypes.byref(matrix))
    size = pdfium.FPDFText_GetFontSize(raw, index) * math.hypot(matrix.c, matrix.d)
    invisible = pdfium.FPDFTextObj_GetTextRenderMode(owner) == _INVISIBLE
    turns = (frame.quarter_turns - round(math.atan2(matrix.b, matrix.a) / (math.pi / 2))) % 4
    return Look(_style(pdfium.FPDFTextObj_GetFont(owner), size), invisible, turns)


def _style(font: Any, size: float) -> Style:
    buffer = ctypes.create_string_buffer(256)
    pdfium.FPDFFont_GetBaseFontName(font, buffer, len(buffer))
    name = _SUBSET_PREFIX.sub("", buffer.value.decode("utf-8", "replace"))
    flags = max(pdfium.FPDFFont_GetFlags(font), 0)
    heavy = flags & _FORCE_BOLD or pdfium.FPDFFont_GetWeight(font) >= _BOLD_WEIGHT
    return Style(
        font=name,
        size=round(size, 1),
        mono=bool(_MONO_NAME.search(name) or flags & _FIXED_PITCH),
        bold=bool(_BOLD_NAME.search(name) or heavy),
        italic=bool(_ITALIC_NAME.search(name) or flags & _ITALIC),
    )

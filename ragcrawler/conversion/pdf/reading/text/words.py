"""From characters to words and lines, by the gaps between them."""

import unicodedata
from collections.abc import Iterable, Iterator

from ragcrawler.conversion.pdf.reading.geometry import Box, hull
from ragcrawler.conversion.pdf.reading.text.glyphs import Glyph
from ragcrawler.conversion.pdf.reading.text.lines import Line, Style, Word

# In units of the font size.
_SPACE_GAP = 0.18  # the narrowest space in use is about a quarter
_NO_GAP = 0.08
_COLUMN_GAP = 1.3  # a justified line's spaces stay below
_JUSTIFIED_GAP = 6.0  # a space stretched to fill the line; cells are not held apart by characters
_CODE_GAP = 3.0
_BASELINE_DRIFT = 0.45  # a superscript stays on its line
_RAISED_DRIFT = 0.6
_SMALL = 0.7  # times the size of what is beside it: raised or lowered
_BACKWARDS = 0.5  # kerning stays below

# What PDFium gives in place of a hyphen at the end of a line, and the hyphens that are only shown there.
_LINE_END_HYPHENS = {"\x02": "-", "\xad": "\u2010"}
_LIGATURES = {chr(code): unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_WRITTEN = {**_LINE_END_HYPHENS, **_LIGATURES}


class _Pending:
    """The word that is being put together."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.boxes: list[Box] = []
        self.baseline = 0.0
        self.style: Style | None = None
        self.spaced = True
        self.typed_space = False

    def begin(self, glyph: Glyph, *, spaced: bool, typed_space: bool) -> None:
        self.text, self.boxes = [], []
        self.spaced, self.typed_space = spaced, typed_space
        self.baseline, self.style = glyph.baseline, glyph.look.style

    def add(self, glyph: Glyph) -> None:
        self.text.append(_WRITTEN.get(glyph.text, glyph.text))
        self.boxes.append(glyph.box)

    def _distance(self, glyph: Glyph) -> float:
        last = self.boxes[-1]
        return last.x0 - glyph.box.x1 if reads_leftwards(self.text[-1]) else glyph.box.x0 - last.x1

    def goes_on_with(self, glyph: Glyph) -> bool:
        if glyph.box == self.boxes[-1]:  # the rest of a ligature, which PDFium takes apart
            return True
        return (
            glyph.look.style == self.style
            and abs(glyph.baseline - self.baseline) < 1.0
            and -_BACKWARDS < self.gap_before(glyph) < _SPACE_GAP
        )

    def is_spaced(self, glyph: Glyph, *, made_up: bool) -> bool:
        """Whether there is a gap; PDFium makes up spaces, before a raised number even where there is none."""
        gap = self.gap_before(glyph)
        return gap < -_BACKWARDS or gap >= (_NO_GAP if made_up else _SPACE_GAP)

    def gap_before(self, glyph: Glyph) -> float:
        """Distance to the last character in units of the font size."""
        size = self.style.size if self.style else 1.0
        return self._distance(glyph) / max(size, 1.0)

    def word(self, style: Style) -> Word:
        text = unicodedata.normalize("NFC", "".join(self.text))
        return Word(text, hull(self.boxes), self.baseline, style, self.spaced, self.typed_space)


def reads_leftwards(text: str) -> bool:
    """Whether the first letter of a text belongs to a script that is written from right to left."""
    first = next((character for character in text if character.isalpha()), "")
    return bool(first) and unicodedata.bidirectional(first) in {"R", "AL"}


def read_words(glyphs: Iterable[Glyph]) -> Iterator[Word]:
    """Put characters together to words of one style."""
    pending = _Pending()
    space, typed = True, False
    for glyph in glyphs:
        if glyph.look.style is None or glyph.text.isspace():
            space, typed = True, typed or glyph.look.style is not None
            continue
        if not _printable(glyph.text):
            continue
        if space or not pending.boxes or not pending.goes_on_with(glyph):
            if pending.boxes and pending.style:
                space = typed or pending.is_spaced(glyph, made_up=space)
                yield pending.word(pending.style)
            pending.begin(glyph, spaced=space, typed_space=typed)
        pending.add(glyph)
        space = typed = False
    if pending.boxes and pending.style:
        yield pending.word(pending.style)


def _printable(character: str) -> bool:
    return character in _WRITTEN or unicodedata.category(character) not in {"Cc", "Cf", "Cn", "Cs"}


def read_lines(words: Iterable[Word], page: int) -> list[Line]:
    """Put words together to lines, in the order in which they come."""
    lines: list[Line] = []
    row: list[Word] = []
    for word in words:
        if row and not _same_line(row[-1], word):
            lines.append(Line(tuple(row), page, len(lines)))
            row = []
        row.append(word)
    if row:
        lines.append(Line(tuple(row), page, len(lines)))
    return lines


def _same_line(before: Word, word: Word) -> bool:
    size = max(before.style.size, word.style.size)
    is_small = min(before.style.size, word.style.size) <= _SMALL * size
    if abs(before.baseline - word.baseline) > (_RAISED_DRIFT if is_small else _BASELINE_DRIFT) * size:
        return False
    leftwards = reads_leftwards(before.text) or reads_leftwards(word.text)
    gap = (before.box.x0 - word.box.x1 if leftwards else word.box.x0 - before.box.x1) / size
    widest = _JUSTIFIED_GAP if word.typed_space else _COLUMN_GAP
    if before.style.mono and word.style.mono:  # columns of code are held apart by spaces: they stay one line
        widest = float("inf") if word.typed_space else _CODE_GAP
    return -_BACKWARDS < gap < widest

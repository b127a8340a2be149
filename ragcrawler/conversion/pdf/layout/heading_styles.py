"""Headings by their looks: larger than running text, or bold and alone."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ragcrawler.conversion.pdf.layout.document_style import DocumentStyle
from ragcrawler.conversion.pdf.reading.text.lines import Line

_LARGER = 1.09  # times running text
_MOST_LINES = 4
_MOST_CHARACTERS = 200
_MOST_BOLD_CHARACTERS = 90
_SENTENCE_END = ".,;:"
_DEEPEST_LEVEL = 6
_CAPTION = re.compile(
    r"(?i:table|figure|fig\.|example|listing|tabelle|abbildung|beispiel)\s+(?:\d|[A-Z]\b|[IVX]+\b)"
)
_LETTER = re.compile(r"[^\W\d_]")

_Look = tuple[float, bool]


@dataclass(frozen=True, slots=True)
class HeadingStyles:
    """The level of each look (size, bold) that marks a heading.

    Attributes:
        levels: level by look.
        size: of running text.
    """

    levels: dict[_Look, int]
    size: float

    def level(self, lines: Sequence[Line]) -> int:
        """The heading level of some lines that stand alone, 0 where they are none."""
        if not is_heading_text(lines) or len({look(line) for line in lines}) != 1:
            return 0
        size, bold = look(lines[0])
        if size <= self.size * _LARGER and not _is_bold_heading(lines):
            return 0
        return self.levels.get((size, bold), 0)


def look(line: Line) -> _Look:
    """The look of a heading line: its size to half a point, and whether all of it is bold."""
    return round(line.style.size * 2) / 2, line.bold


def heading_styles(
    named: Iterable[tuple[Line, int]], groups: Iterable[Sequence[Line]], style: DocumentStyle
) -> HeadingStyles:
    """Learn the levels of looks: from headings that the outline names, else by size.

    Args:
        named: first lines of the headings that the outline names, and their levels.
        groups: lines that stand alone.
        style: of running text.
    """
    votes: dict[_Look, Counter[int]] = defaultdict(Counter)
    for line, level in named:
        votes[look(line)][level] += 1
    # of the size of running text only those are headings that the outline names: terms are bold, too
    larger_ones = ((key, count) for key, count in votes.items() if key[0] > style.size * _LARGER)
    levels = {key: count.most_common(1)[0][0] for key, count in larger_ones}
    if levels and max(levels.values()) > 1:  # an outline that goes into depth names all headings
        return HeadingStyles(levels, style.size)
    candidates = (group for group in groups if is_heading_text(group))
    looks = Counter(
        look(group[0]) for group in candidates if _stands_out(group, style, is_outlined=bool(votes))
    )
    ranks = {key: _rank(key, looks, levels) for key in looks if key not in levels}
    return HeadingStyles({**levels, **ranks}, style.size)


def _rank(key: _Look, looks: Counter[_Look], named: dict[_Look, int]) -> int:
    """The level of a look: one deeper than the larger looks that come more than once.

    What comes once is the title where it is the largest of all; a title page has print of many sizes.
    """
    above = max((level for other, level in named.items() if other > key), default=0)
    repeated = [other for other, count in looks.items() if count > 1]
    is_titled = max(looks) not in repeated and not named
    rank = sum(other > key for other in repeated) + is_titled * (key != max(looks)) + 1
    return min(above + rank, _DEEPEST_LEVEL)


def is_heading_text(lines: Sequence[Line]) -> bool:
    """Whether lines could be a heading by their text: short, with a letter, no caption."""
    text = " ".join(line.text for line in lines)
    return (
        len(lines) <= _MOST_LINES
        and len(text) <= _MOST_CHARACTERS
        and not (len(text) > _MOST_BOLD_CHARACTERS and text[-1] in _SENTENCE_END)
        and bool(_LETTER.search(text))
        and not _CAPTION.match(text)
    )


def _stands_out(group: Sequence[Line], style: DocumentStyle, *, is_outlined: bool) -> bool:
    size, _ = look(group[0])
    if size > style.size * _LARGER:
        return True
    return not is_outlined and size >= style.size - 0.5 and _is_bold_heading(group)


def _is_bold_heading(lines: Sequence[Line]) -> bool:
    text = " ".join(line.text for line in lines)
    return (
        all(line.bold and not line.mono for line in lines)
        and len(text) <= _MOST_BOLD_CHARACTERS
        and (text[0].isupper() or text[0].isdigit())
        and text[-1] not in _SENTENCE_END
    )

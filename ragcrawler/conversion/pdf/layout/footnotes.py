"""Footnotes: a raised number in the text, and small print that begins with it at the foot of the page."""

import re
from collections.abc import Iterable

from ragcrawler.conversion.pdf.blocks import Block, Footnote
from ragcrawler.conversion.pdf.reading.text.lines import Line, Word

_NUMBER = re.compile(r"\d{1,3}$")
_RAISED = 0.15  # of the font size, at least
_SMALLER = 0.85  # times the line's font size, at most


def is_raised_number(word: Word, line: Line) -> bool:
    """Whether a word of a line is a small raised number."""
    size = line.style.size
    return (
        word.style.size <= _SMALLER * size
        and line.baseline - word.baseline >= _RAISED * size
        and bool(_NUMBER.match(word.text))
    )


def starts_footnote(line: Line, running_size: float) -> bool:
    """Whether a line begins with a raised number, in smaller print than running text."""
    return line.style.size < running_size and len(line.words) > 1 and is_raised_number(line.words[0], line)


class FootnoteLabels:
    """The labels of a document's footnotes: the printed number, or a count where one number comes twice."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        notes = dict.fromkeys((block.page, block.number) for block in blocks if isinstance(block, Footnote))
        are_unique = len({number for _, number in notes}) == len(notes)
        self._labels = {
            (page, number): number if are_unique else str(count)
            for count, (page, number) in enumerate(notes, start=1)
        }

    def label(self, page: int, number: str) -> str:
        """The label of the footnote of that number on that page, "" where there is none."""
        return self._labels.get((page, number), "")

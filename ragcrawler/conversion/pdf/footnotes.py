"""Footnotes: a raised number in the text, and small print that begins with it at the foot of the page."""

import re
from collections import Counter
from collections.abc import Iterable

from ragcrawler.conversion.pdf.blocks import Block, Footnote
from ragcrawler.conversion.pdf.text import Line, Word

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
    """The labels of a document's footnotes: the number, with the page where one number comes twice."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        notes = {(block.page, block.number) for block in blocks if isinstance(block, Footnote)}
        uses = Counter(number for _, number in notes)
        self._labels = {
            (page, number): number if uses[number] == 1 else f"{page + 1}-{number}" for page, number in notes
        }

    def label(self, page: int, number: str) -> str:
        """The label of the footnote of that number on that page, "" where there is none."""
        return self._labels.get((page, number), "")

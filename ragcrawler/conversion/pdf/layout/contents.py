"""Printed tables of contents: they repeat the headings, with page numbers that mean nothing here."""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from ragcrawler.conversion.pdf.layout.columns import rows_of
from ragcrawler.conversion.pdf.reading.text.lines import Line

_LEADER = re.compile(r"(?:[.·•…_]\s*){4,}")
_ENDS_WITH_PAGE = re.compile(r"(?<![^\W_])(?:\d{1,4}|[ivxlcdm]{1,7})$")
_FEWEST = 3
_RISING = 0.75  # of the steps from number to number
_NOT_A_LETTER = re.compile(r"[\W\d_]+")


def without_contents(lines: Sequence[Line], titles: Collection[str]) -> list[Line]:
    """The lines of a page without rows of leaders that end with a page number.

    Args:
        lines: of one page.
        titles: of the outline, as `bare` writes them; beside leaders, their rows go too.
    """
    rows = rows_of(lines)
    led = [row for row in rows if _is_led(row)]
    if len(led) < _FEWEST or not _rise(led):
        return list(lines)
    dropped = {id(line) for row in rows if _is_led(row) or _is_listed(row, titles) for line in row}
    return [line for line in lines if id(line) not in dropped]


def bare(text: str) -> str:
    """A title without numbers, spaces and punctuation."""
    return _NOT_A_LETTER.sub("", text).casefold()


def _is_led(row: Sequence[Line]) -> bool:
    text = " ".join(line.text for line in row)
    return bool(_LEADER.search(text) and _ENDS_WITH_PAGE.search(text))


def _rise(rows: Sequence[Sequence[Line]]) -> bool:
    """Whether the numbers at the ends are those of pages: prices do not rise from row to row.

    Where several documents are bound in one, pages begin anew.
    """
    ends = [" ".join(line.text for line in row).split()[-1].strip(".·•…_") for row in rows]
    numbers = [int(end) for end in ends if end.isdigit()]
    rises = [one <= other for one, other in pairwise(numbers)]
    return sum(rises) >= _RISING * len(rises)


def _is_listed(row: Sequence[Line], titles: Collection[str]) -> bool:
    text = " ".join(line.text for line in row)
    return bare(text) in titles and bool(_ENDS_WITH_PAGE.search(text))

"""Columns of cells that nothing but white space holds apart."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from ragcrawler.conversion.pdf.reading.geometry import Box
from ragcrawler.conversion.pdf.reading.text.lines import Line, Word

_SAME_EDGE = 2.0  # points
_CELL_GAP = 0.5  # of the font size; the space between words is half of it
_NARROW_GAP = 0.9  # of the font size, between cells that are in one line for their nearness
_WIDER = 2.0  # times the other gaps of the line
_FEWEST = 3  # cells that tell how a column is aligned
_ALIGNED = 0.75  # of a column's cells


def cells_of(line: Line) -> list[Line]:
    """A line cut where cells may meet: at gaps that are wide for a space, and wider than its others."""
    gaps = [other.box.x0 - one.box.x1 for one, other in pairwise(line.words)]
    wide = _NARROW_GAP * line.style.size
    if line.style.mono or not gaps or max(gaps) < wide:
        return [line]
    spaces = [gap for gap in gaps if gap < wide]
    wide = max([wide, *(_WIDER * gap for gap in spaces)])
    cuts = [index for index, gap in enumerate(gaps, start=1) if gap >= wide]
    return [line.with_words(line.words[start:end]) for start, end in pairwise([0, *cuts, len(line.words)])]


def are_aligned(rows: Sequence[Sequence[tuple[int, Line]]]) -> bool:
    """Whether the cells of each column have their left edges, right edges or middles in common."""
    boxes: dict[int, list[Box]] = defaultdict(list)
    for row in rows:
        for column, line in row:
            boxes[column].append(line.box)
    return all(len(column) < _FEWEST or _is_aligned(column) for column in boxes.values())


def _is_aligned(boxes: Sequence[Box]) -> bool:
    sides = ([box.x0 for box in boxes], [box.x1 for box in boxes], [box.middle[0] for box in boxes])
    return any(
        sum(abs(value - median(side)) <= _SAME_EDGE for value in side) >= _ALIGNED * len(side)
        for side in sides
    )


class AlignedColumns:
    """The columns of a table that grows row by row.

    Attributes:
        spans: [x0, x1] of each column, from left to right.
    """

    def __init__(self, row: Sequence[Line]) -> None:
        self.spans = [[line.box.x0, line.box.x1] for line in row]

    def place(self, row: Sequence[Line]) -> list[tuple[int, Line]] | None:
        """The column of each line of a row, wide lines divided; None where they do not fit."""
        placed: list[tuple[int, Line]] = []
        for line in row:
            touched = self._touched(line.box.x0, line.box.x1)
            if len(touched) == 1:
                placed.append((touched[0], line))
            elif not touched and len(row) > 1:
                placed.append((self._nearest(line), line))
            elif not touched:
                return None
            else:
                parts = self._divide(line, touched)
                if parts is None:
                    return None
                placed += parts
        columns = [column for column, _ in placed]
        return placed if len(set(columns)) == len(columns) else None

    def widen(self, placed: Sequence[tuple[int, Line]]) -> None:
        """Take a row in."""
        for column, line in placed:
            span = self.spans[column]
            span[0], span[1] = min(span[0], line.box.x0), max(span[1], line.box.x1)

    def are_apart(self, distance: float) -> bool:
        """Whether there are several columns, with at least `distance` points between them."""
        gaps = [other[0] - one[1] for one, other in pairwise(sorted(self.spans))]
        return bool(gaps) and min(gaps) >= distance

    def _nearest(self, line: Line) -> int:
        """The column nearest to a cell that stands beside all of them, as a number under a long title may."""
        return min(
            range(len(self.spans)),
            key=lambda at: max(self.spans[at][0] - line.box.x1, line.box.x0 - self.spans[at][1]),
        )

    def _touched(self, x0: float, x1: float) -> list[int]:
        return [index for index, (start, end) in enumerate(self.spans) if x0 < end and x1 > start]

    def _divide(self, line: Line, touched: Sequence[int]) -> list[tuple[int, Line]] | None:
        """Cut a line at gaps behind which a word stands on the edge of a column."""
        parts: dict[int, list[Word]] = {}
        column = touched[0]
        for index, word in enumerate(line.words):
            inside = self._touched(word.box.x0, word.box.x1)
            if len(inside) > 1:
                return None
            if inside and inside[0] != column:
                if not self._begins(inside[0], line, index):
                    return None
                column = inside[0]
            parts.setdefault(column, []).append(word)
        return [(column, line.with_words(words)) for column, words in parts.items()]

    def _begins(self, column: int, line: Line, index: int) -> bool:
        """Whether a word begins a cell of a column: on its left edge, or in a line that ends on its right."""
        start, end = self.spans[column]
        word = line.words[index]
        gap = word.box.x0 - line.words[index - 1].box.x1 if index else _CELL_GAP * word.style.size
        on_edge = abs(word.box.x0 - start) <= _SAME_EDGE or abs(line.box.x1 - end) <= _SAME_EDGE
        return on_edge and gap >= _CELL_GAP * word.style.size

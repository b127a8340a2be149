"""Columns of cells that nothing but white space holds apart."""

from collections.abc import Sequence
from itertools import pairwise

from ragcrawler.conversion.pdf.reading.text import Line, Word

_SAME_EDGE = 2.0  # points
_CELL_GAP = 0.5  # of the font size; the space between words is half of it


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

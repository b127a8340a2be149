"""Ruled tables: rules that cross make a grid, and what is not ruled apart is one cell."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ragcrawler.conversion.pdf.reading.geometry import Box
from ragcrawler.conversion.pdf.reading.page import Drawing
from ragcrawler.conversion.pdf.tables.rules import crossing_rules

_MOST_PLACES = 20_000  # a finer grid is a drawing
_NARROWEST = 4.0  # points between two rules that are meant to be two


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a grid and the rows and columns it spans, half-open."""

    box: Box
    row: int
    column: int
    row_end: int
    column_end: int


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells of one ruled table; every place of the grid belongs to one cell."""

    box: Box
    rows: int
    columns: int
    cells: tuple[Cell, ...]


def find_grids(drawing: Drawing) -> list[Grid]:
    """The grids on a page that have at least two cells."""
    found = (_grid(horizontal, vertical) for horizontal, vertical in crossing_rules(drawing))
    return [grid for grid in found if grid is not None]


def _grid(horizontal: Sequence[Box], vertical: Sequence[Box]) -> Grid | None:
    ys = _merge([rule.top for rule in horizontal] + _open_ends(vertical))
    xs = _merge(rule.x0 for rule in vertical)
    if len(ys) < 2 or len(xs) < 2 or len(ys) + len(xs) < 5:  # noqa: PLR2004 - two cells need five rules
        return None
    if len(xs) * len(ys) > _MOST_PLACES:
        return None
    cells = _cells(xs, ys, horizontal, vertical)
    if len(cells) < 2:  # noqa: PLR2004 - one cell is a frame, no table
        return None
    return Grid(Box(xs[0], ys[0], xs[-1], ys[-1]), len(ys) - 1, len(xs) - 1, tuple(cells))


def _open_ends(vertical: Sequence[Box]) -> list[float]:
    """Where all columns begin and end: a row that the page cuts in two has no rule there."""
    tops, bottoms = [rule.top for rule in vertical], [rule.bottom for rule in vertical]
    ends = [(min(tops), tops), (max(bottoms), bottoms)]
    return [end for end, all_ends in ends if sum(abs(one - end) < _NARROWEST for one in all_ends) > 1]


def _merge(values: Iterable[float]) -> list[float]:
    merged: list[list[float]] = []
    for value in sorted(values):
        if merged and value - merged[-1][-1] < _NARROWEST:
            merged[-1].append(value)
        else:
            merged.append([value])
    return [sum(group) / len(group) for group in merged]


def _cells(
    xs: Sequence[float], ys: Sequence[float], horizontal: Sequence[Box], vertical: Sequence[Box]
) -> list[Cell]:
    rows, columns = range(len(ys) - 1), range(len(xs) - 1)
    right = [[_is_ruled_v(vertical, xs[c + 1], ys[r], ys[r + 1]) for c in columns] for r in rows]
    below = [[_is_ruled_h(horizontal, ys[r + 1], xs[c], xs[c + 1]) for c in columns] for r in rows]
    taken: set[tuple[int, int]] = set()
    cells: list[Cell] = []
    for r in rows:
        for c in columns:
            if (r, c) not in taken:
                r_end, c_end = _extent(r, c, right, below, taken)
                taken.update((row, column) for row in range(r, r_end) for column in range(c, c_end))
                cells.append(Cell(Box(xs[c], ys[r], xs[c_end], ys[r_end]), r, c, r_end, c_end))
    return cells


def _extent(
    row: int, column: int, right: list[list[bool]], below: list[list[bool]], taken: set[tuple[int, int]]
) -> tuple[int, int]:
    """Where the cell that begins here ends: at the first rule to its right and below it."""
    column_end = column + 1
    while column_end < len(right[row]) and not right[row][column_end - 1] and (row, column_end) not in taken:
        column_end += 1
    row_end = row + 1
    while row_end < len(below) and not any(below[row_end - 1][column:column_end]):
        row_end += 1
    return row_end, column_end


def _is_ruled_v(vertical: Sequence[Box], x: float, top: float, bottom: float) -> bool:
    middle = (top + bottom) / 2
    return any(abs(rule.x0 - x) < _NARROWEST and rule.top <= middle <= rule.bottom for rule in vertical)


def _is_ruled_h(horizontal: Sequence[Box], y: float, x0: float, x1: float) -> bool:
    middle = (x0 + x1) / 2
    return any(abs(rule.top - y) < _NARROWEST and rule.x0 <= middle <= rule.x1 for rule in horizontal)

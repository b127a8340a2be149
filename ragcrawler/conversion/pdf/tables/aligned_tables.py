"""Tables without a grid: rows of cells that stand in columns, ruled below each row at most."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from ragcrawler.conversion.pdf.blocks import Figure, Table, TableCell
from ragcrawler.conversion.pdf.layout.columns import rows_of, runs_on
from ragcrawler.conversion.pdf.layout.document_style import DocumentStyle
from ragcrawler.conversion.pdf.layout.rows import is_marker
from ragcrawler.conversion.pdf.reading.geometry import Box, hull
from ragcrawler.conversion.pdf.reading.text.lines import Line
from ragcrawler.conversion.pdf.tables.aligned_columns import AlignedColumns, are_aligned, cells_of
from ragcrawler.conversion.pdf.tables.row_starts import FEWEST_ROWS, PlacedRow, crosses, is_padded, row_starts

_FARTHEST = 2.8  # line distances between rows
_PITCH_ROWS = 20  # rows that tell how far apart rows are
_EMPTY_ROW = 2.4  # distances of rows: one row between them is empty
_PADDED = 1.2  # line distances from which a gap sets a single cell apart
_TITLED = 2  # a number and a title
_SECTION_NUMBER = re.compile(r"\d+(?:\.\d+)+\.?$")
_NARROWEST_GAP = 0.8  # of the font size, between columns

Item = Line | Table | Figure
_Rows = Sequence[Sequence[Item]]


def with_aligned_tables(region: Sequence[Item], rules: Sequence[Box], style: DocumentStyle) -> Iterator[Item]:
    """The items of a column in reading order, with lines that make a table as a table.

    Args:
        region: the items.
        rules: horizontal rules on the page.
        style: of running text.
    """
    rows = rows_of(region)
    start = 0
    while start < len(rows):
        found = _table_at(rows, start, rules, style)
        if found is None:
            yield from rows[start]
            start += 1
            continue
        columns, placed = found
        if _is_prose(placed, len(columns.spans), rules, style):
            yield from _by_columns(placed)
        else:
            yield _table(columns, placed, rules, style)
        start += len(placed)


def _table_at(
    rows: _Rows, start: int, rules: Sequence[Box], style: DocumentStyle
) -> tuple[AlignedColumns, list[PlacedRow]] | None:
    """The columns and rows of a table that begins at `start`, None where none does."""
    for divide in (cells_of, _whole):
        columns, placed = _grow(rows, start, style, divide)
        apart = [row for row, items in zip(placed, rows[start:], strict=False) if len(row) > 1]
        if not columns.are_apart(_NARROWEST_GAP * style.size) or not _is_table(apart, rules):
            continue
        if divide is _whole or are_aligned(placed):
            return columns, placed
    return None


def _whole(line: Line) -> list[Line]:
    return [line]


def _is_table(apart: Sequence[PlacedRow], rules: Sequence[Box]) -> bool:
    """Three rows of cells that stand apart, or two with rules below them."""
    if len(apart) >= FEWEST_ROWS or not apart:
        return len(apart) >= FEWEST_ROWS
    box = hull(line.box for row in apart for _, line in row)
    ruled = sum(crosses(rule, box._replace(bottom=box.bottom + box.height)) for rule in rules)
    return len(apart) == FEWEST_ROWS - 1 and ruled >= len(apart)


def _is_prose(placed: Sequence[PlacedRow], columns: int, rules: Sequence[Box], style: DocumentStyle) -> bool:
    """Whether what stands side by side is running text in columns: long lines that go on in the next one."""
    if is_padded(placed, style):
        return False
    box = hull(line.box for row in placed for _, line in row)
    if any(crosses(rule, box) for rule in rules):
        return False
    texts = [[line.text for row in placed for at, line in row if at == column] for column in range(columns)]
    return all(len(text) >= FEWEST_ROWS and runs_on(text) for text in texts)


def _by_columns(placed: Sequence[PlacedRow]) -> Iterator[Line]:
    ordered = sorted(
        ((column, at, line) for at, row in enumerate(placed) for column, line in row), key=lambda x: x[:2]
    )
    return (line for _, _, line in ordered)


def _grow(
    rows: _Rows, start: int, style: DocumentStyle, divide: Callable[[Line], list[Line]]
) -> tuple[AlignedColumns, list[PlacedRow]]:
    """The rows from `start` on that stand in the columns of the first that has several cells."""
    cells = (_cells_in(row, divide) for row in rows[start : start + 2])
    columns = AlignedColumns(next((row for row in cells if _may_begin(row)), ()))
    placed: list[PlacedRow] = []
    for index in range(start, len(rows) if columns.spans else start):
        row = _cells_in(rows[index], divide)
        if not row or (placed and _is_far(placed, row, style)):
            break
        fitting = columns.place(row)
        if fitting is None or (len(fitting) == 1 and (not placed or _ends_table(placed[-1], fitting, style))):
            break
        columns.widen(fitting)
        placed.append(fitting)
    return columns, placed


def _cells_in(row: Sequence[Item], divide: Callable[[Line], list[Line]]) -> list[Line]:
    """The cells of a row, none where there is something else beside text."""
    lines = [item for item in row if isinstance(item, Line)]
    return [cell for line in lines for cell in divide(line)] if len(lines) == len(row) else []


def _may_begin(row: Sequence[Line]) -> bool:
    """Several cells; a listing, an item whose marker stands far off or a numbered title are none."""
    first = row[0].text if row else ""
    begins_item = is_marker(first) or (len(row) == _TITLED and _SECTION_NUMBER.match(first))
    return len(row) > 1 and not all(line.mono for line in row) and not begins_item


def _is_far(placed: Sequence[PlacedRow], row: Sequence[Line], style: DocumentStyle) -> bool:
    """Whether a row is too far below the last one, even with an empty row between them."""
    distance = min(line.baseline for line in row) - max(line.baseline for _, line in placed[-1])
    farthest = _FARTHEST * style.leading * row[0].style.size
    if distance <= farthest or len(placed) < FEWEST_ROWS or len(row) == 1:
        return distance > farthest
    tops = [min(line.baseline for _, line in one) for one in placed[:_PITCH_ROWS]]
    return distance > _EMPTY_ROW * min(below - above for above, below in pairwise(tops))


def _ends_table(last: PlacedRow, row: PlacedRow, style: DocumentStyle) -> bool:
    """A single cell in the first column, set apart or in other type, is what comes after the table."""
    column, line = row[0]
    above = last[0][1]
    apart = line.baseline - above.baseline > _PADDED * style.leading * line.style.size
    return column == 0 and (apart or abs(above.style.size - line.style.size) > 1)


def _table(
    columns: AlignedColumns, placed: Sequence[PlacedRow], rules: Sequence[Box], style: DocumentStyle
) -> Table:
    lines = [line for row in placed for _, line in row]
    starts = row_starts(placed, columns.spans, rules, style)
    rows = [
        _cells([cell for row in placed[start:end] for cell in row], len(columns.spans))
        for start, end in zip(starts, [*starts[1:], len(placed)], strict=True)
    ]
    return Table(
        rows=tuple(rows),
        page=lines[0].page,
        box=hull(line.box for line in lines),
        edges=tuple(span[0] for span in columns.spans),
        order=min(line.order for line in lines),
    )


def _cells(placed: PlacedRow, columns: int) -> tuple[TableCell, ...]:
    cells: list[list[Line]] = [[] for _ in range(columns)]
    for column, line in placed:
        cells[column].append(line)
    return tuple(tuple(sorted(cell, key=lambda line: line.baseline)) for cell in cells)

"""Tables without a grid: rows of cells that stand in columns, ruled below each row at most."""

from collections.abc import Iterator, Sequence

from ragcrawler.conversion.pdf.blocks import Figure, Table, TableCell
from ragcrawler.conversion.pdf.layout.columns import rows_of
from ragcrawler.conversion.pdf.layout.document_style import DocumentStyle
from ragcrawler.conversion.pdf.layout.rows import is_marker
from ragcrawler.conversion.pdf.reading.geometry import Box, hull
from ragcrawler.conversion.pdf.reading.text import Line
from ragcrawler.conversion.pdf.tables.aligned_columns import AlignedColumns

_FEWEST_ROWS = 3  # with more than one cell
_FARTHEST = 2.8  # line distances between rows
_PADDED = 1.2  # line distances from which a gap parts rows
_RULE_WIDTH = 0.5  # of the table's

Item = Line | Table | Figure
_Placed = list[tuple[int, Line]]


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
        columns, placed = _grow(rows, start, style)
        apart = [placed_row for placed_row, row in zip(placed, rows[start:], strict=False) if len(row) > 1]
        if columns.are_apart(style.size) and _is_table(apart, rules):
            yield _table(columns, placed, rules, style)
            start += len(placed)
        else:
            yield from rows[start]
            start += 1


def _is_table(apart: Sequence[_Placed], rules: Sequence[Box]) -> bool:
    """Three rows of cells that stand apart, or two with rules below them."""
    if len(apart) >= _FEWEST_ROWS or not apart:
        return len(apart) >= _FEWEST_ROWS
    box = hull(line.box for row in apart for _, line in row)
    ruled = sum(_crosses(rule, box._replace(bottom=box.bottom + box.height)) for rule in rules)
    return len(apart) == _FEWEST_ROWS - 1 and ruled >= len(apart)


def _grow(
    rows: Sequence[Sequence[Item]], start: int, style: DocumentStyle
) -> tuple[AlignedColumns, list[_Placed]]:
    """The rows from `start` on that stand in the columns of the first that has several cells."""
    first = next((row for row in rows[start : start + 2] if _may_begin(row)), None)
    lines = [item for item in first or () if isinstance(item, Line)]
    columns = AlignedColumns(lines)
    placed: list[_Placed] = []
    for index in range(start, len(rows) if lines else start):
        row = [item for item in rows[index] if isinstance(item, Line)]
        if len(row) < len(rows[index]) or (placed and _is_far(placed[-1], row, style)):
            break
        fitting = columns.place(row)
        if fitting is None or (len(fitting) == 1 and (not placed or _ends_table(placed[-1], fitting, style))):
            break
        columns.widen(fitting)
        placed.append(fitting)
    return columns, placed


def _may_begin(row: Sequence[Item]) -> bool:
    """Several cells; a listing or a list item whose marker stands far off is none."""
    lines = [item for item in row if isinstance(item, Line)]
    return (
        len(lines) == len(row) > 1 and not all(line.mono for line in lines) and not is_marker(lines[0].text)
    )


def _is_far(last: _Placed, row: Sequence[Line], style: DocumentStyle) -> bool:
    distance = min(line.baseline for line in row) - max(line.baseline for _, line in last)
    return distance > _FARTHEST * style.leading * row[0].style.size


def _ends_table(last: _Placed, row: _Placed, style: DocumentStyle) -> bool:
    """A single cell in the first column, set apart or in other type, is what comes after the table."""
    column, line = row[0]
    above = last[0][1]
    apart = line.baseline - above.baseline > _PADDED * style.leading * line.style.size
    return column == 0 and (apart or abs(above.style.size - line.style.size) > 1)


def _table(
    columns: AlignedColumns, placed: Sequence[_Placed], rules: Sequence[Box], style: DocumentStyle
) -> Table:
    lines = [line for row in placed for _, line in row]
    box = hull(line.box for line in lines)
    starts = _ruled_starts(placed, box, rules) or _spaced_starts(placed, style)
    rows = [
        _cells([cell for row in placed[start:end] for cell in row], len(columns.spans))
        for start, end in zip(starts, [*starts[1:], len(placed)], strict=True)
    ]
    return Table(
        rows=tuple(rows),
        page=lines[0].page,
        box=box,
        edges=tuple(span[0] for span in columns.spans),
        order=min(line.order for line in lines),
    )


def _cells(placed: _Placed, columns: int) -> tuple[TableCell, ...]:
    cells: list[list[Line]] = [[] for _ in range(columns)]
    for column, line in placed:
        cells[column].append(line)
    return tuple(tuple(sorted(cell, key=lambda line: line.baseline)) for cell in cells)


def _ruled_starts(placed: Sequence[_Placed], box: Box, rules: Sequence[Box]) -> list[int]:
    """Indices of the rows below a rule, [] where there is not a rule to every second row or so."""
    heights = sorted(rule.top for rule in rules if _crosses(rule, box))
    starts = [0]
    for index in range(1, len(placed)):
        above = max(line.box.middle[1] for _, line in placed[index - 1])
        below = max(line.box.middle[1] for _, line in placed[index])
        if any(above < height < below for height in heights):
            starts.append(index)
    return starts if len(starts) >= _FEWEST_ROWS else []


def _crosses(rule: Box, box: Box) -> bool:
    inside = min(rule.x1, box.x1) - max(rule.x0, box.x0)
    return box.top < rule.top < box.bottom and inside >= _RULE_WIDTH * box.width


def _spaced_starts(placed: Sequence[_Placed], style: DocumentStyle) -> list[int]:
    """Indices of the rows that a gap sets apart; without gaps, of those with a first cell."""
    distances = [
        min(line.baseline for _, line in row) - min(line.baseline for _, line in placed[index])
        for index, row in enumerate(placed[1:])
    ]
    widest = _PADDED * style.leading
    apart = [
        distance > widest * placed[index + 1][0][1].style.size for index, distance in enumerate(distances)
    ]
    has_first = [any(column == 0 for column, _ in row) for row in placed[1:]]
    padded = sum(apart) > sum(has_first) / 2
    begins = apart if padded else has_first
    return [0, *(index for index, is_start in enumerate(begins, start=1) if is_start)]

"""Tables whose cells are ruled: the words inside each cell of a grid."""

from collections import defaultdict
from collections.abc import Sequence

from ragcrawler.conversion.pdf.blocks import Table, TableCell
from ragcrawler.conversion.pdf.layout.rows import merge_pieces
from ragcrawler.conversion.pdf.reading.page import PageContent
from ragcrawler.conversion.pdf.reading.text.lines import Line, Word
from ragcrawler.conversion.pdf.reading.text.words import read_lines
from ragcrawler.conversion.pdf.tables.grid import Cell, Grid, find_grids

_SLACK = 1.0  # points
_LARGEST_CELL = 0.5  # of the page's area; a larger one frames the page
_TOP = 0.2  # of the page, where a table may go on
_FEWEST = 2


def take_ruled_tables(page: PageContent) -> tuple[list[Table], list[Line]]:
    """The ruled tables of a page, and the lines that are in none."""
    lines = list(page.lines)
    tables = []
    for grid in find_grids(page.drawing):
        if grid.columns < _FEWEST or _is_layout(grid, page):
            continue
        inside, outside = _split(lines, grid)
        table = _table(grid, inside, page)
        if table is not None:
            tables.append(table)
            lines = outside
    return tables, lines


def _is_layout(grid: Grid, page: PageContent) -> bool:
    largest = max(cell.box.width * cell.box.height for cell in grid.cells)
    return largest > _LARGEST_CELL * page.width * page.height


def _split(lines: Sequence[Line], grid: Grid) -> tuple[list[Line], list[Line]]:
    """The parts of lines within a grid and beside it."""
    inside, outside = [], []
    for line in lines:
        within = [word for word in line.words if grid.box.holds(word.box.middle, _SLACK)]
        if within:
            inside.append(line.with_words(within))
        if len(within) < len(line.words):
            outside.append(line.with_words([word for word in line.words if word not in within]))
    return inside, outside


def _table(grid: Grid, lines: Sequence[Line], page: PageContent) -> Table | None:
    rows = [row for row in _fill(grid, lines, page.number) if any(row)]
    kept = [column for column in range(grid.columns) if any(row[column] for row in rows)]
    if grid.box.top < _TOP * page.height and page.number:  # the rest of a row may leave columns empty
        kept = list(range(grid.columns))
    if len(kept) < _FEWEST or not rows:
        return None
    edges = {cell.column: cell.box.x0 for cell in grid.cells}
    return Table(
        rows=tuple(tuple(row[column] for column in kept) for row in rows),
        page=page.number,
        box=grid.box,
        edges=tuple(edges.get(column, 0.0) for column in kept),
        order=min(line.order for line in lines),
    )


def _fill(grid: Grid, lines: Sequence[Line], page: int) -> list[list[TableCell]]:
    """The text of each place; that of a cell that spans several stands in the first of them, once."""
    words: dict[Cell, list[Word]] = defaultdict(list)
    for line in lines:
        for word in line.words:
            cell = next((cell for cell in grid.cells if cell.box.holds(word.box.middle, _SLACK)), None)
            if cell is not None:
                words[cell].append(word)
    places: list[list[TableCell]] = [[()] * grid.columns for _ in range(grid.rows)]
    for cell, within in words.items():
        places[cell.row][cell.column] = cell_lines(within, page)
    return places


def cell_lines(words: Sequence[Word], page: int) -> TableCell:
    """The words of a cell as lines from top to bottom."""
    lines = merge_pieces(read_lines(words, page))
    return tuple(sorted(lines, key=lambda line: (round(line.baseline), line.box.x0)))

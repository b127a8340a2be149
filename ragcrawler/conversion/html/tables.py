"""Tables of data, told apart from tables that only lay out a page; their cells as a filled grid."""

from lxml import html

from ragcrawler.conversion.work import Work

_LAYOUT_CELL_CHARACTERS = 400
_MAX_SPAN = 1_000
_MAX_GROWTH = 4
_SPARE_PLACES = 1_000
_MAX_REPEATED_CHARACTERS = 200
_MIN_SIDE = 2
_FIGURE_LEVELS = 3


def rows_of(table: html.HtmlElement) -> list[html.HtmlElement]:
    """The rows of a table itself, not of a table inside it."""
    rows = []
    for child in table:
        if child.tag == "tr":
            rows.append(child)
        elif child.tag in ("thead", "tbody", "tfoot"):
            rows.extend(row for row in child if row.tag == "tr")
    return rows


def cells_of(row: html.HtmlElement) -> list[html.HtmlElement]:
    return [cell for cell in row if cell.tag in ("td", "th")]


def is_data_table(table: html.HtmlElement) -> bool:
    """Whether a table holds data: at least two rows of at least two columns, and no page inside its cells."""
    if table.get("role") in ("presentation", "none") or table.find(".//table") is not None:
        return False
    rows = [cells for cells in map(cells_of, rows_of(table)) if cells]
    widest = max((len(cells) for cells in rows), default=0)
    if len(rows) < _MIN_SIDE or widest < _MIN_SIDE:
        return False
    if any(cell.tag == "th" for cells in rows for cell in cells) or _is_captioned(table):
        return True
    if next(table.iter("h1", "h2", "h3", "article", "form"), None) is not None:
        return False
    return len(table.text_content()) / len(rows) / widest < _LAYOUT_CELL_CHARACTERS


def _is_captioned(table: html.HtmlElement) -> bool:
    """A table with a caption, or in a figure, is one whatever stands in its cells."""
    around = zip(range(_FIGURE_LEVELS), table.iterancestors(), strict=False)
    return table.find("caption") is not None or any(outer.tag == "figure" for _, outer in around)


def filled_grid(table: html.HtmlElement, work: Work) -> list[list[html.HtmlElement | None]]:
    """The cells by row and column: a cell that spans stands in every place it covers.

    A cell that spans the whole width stands there once, and so does one of long text; places that no cell
    covers are None. Where spans would blow the table up they do not count.

    Raises:
        ConversionError: `too_large` where one long row makes all others as long.
    """
    rows = [cells_of(row) for row in rows_of(table)]
    if would_blow_up(rows):
        columns = max(map(len, rows))
        work.table(len(rows), columns)
        return [[*row, *[None] * (columns - len(row))] for row in rows]
    return _place(rows, work)


def would_blow_up(rows: list[list[html.HtmlElement]]) -> bool:
    """Whether the cells claim many more places than there are cells."""
    covered = sum(
        span(cell, "colspan") * min(span(cell, "rowspan"), len(rows)) for row in rows for cell in row
    )
    return covered > _MAX_GROWTH * sum(map(len, rows)) + _SPARE_PLACES


def _place(rows: list[list[html.HtmlElement]], work: Work) -> list[list[html.HtmlElement | None]]:
    placed: dict[tuple[int, int], html.HtmlElement | None] = {}
    for row_index, row in enumerate(rows):
        column = 0
        for cell in row:
            while (row_index, column) in placed:
                column += 1
            copy = cell if len(cell.text_content()) <= _MAX_REPEATED_CHARACTERS else None
            width = span(cell, "colspan")
            for down in range(min(span(cell, "rowspan"), len(rows) - row_index)):
                for right in range(width):
                    placed.setdefault((row_index + down, column + right), copy if down or right else cell)
            column += width
    columns = 1 + max((column for _, column in placed), default=-1)
    work.table(len(rows), columns)
    return [_row(placed, index, columns) for index in range(len(rows))]


def span(cell: html.HtmlElement, name: str) -> int:
    """The number of rows or columns that a cell covers."""
    value = cell.get(name, "1").strip()
    return min(max(int(value), 1), _MAX_SPAN) if value.isdecimal() and value.isascii() else 1


def _row(
    placed: dict[tuple[int, int], html.HtmlElement | None], index: int, columns: int
) -> list[html.HtmlElement | None]:
    row = [placed.get((index, column)) for column in range(columns)]
    if columns > 1 and row[0] is not None and all(cell is row[0] for cell in row):
        return [row[0], *[None] * (columns - 1)]
    return row

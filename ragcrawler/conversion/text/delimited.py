"""CSV and TSV as a table: the delimiter is found, the size bounded."""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from io import StringIO
from itertools import islice

from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.escaping import escape_cell, escape_inline
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.links import bare_links
from ragcrawler.conversion.text.plain import file_name
from ragcrawler.conversion.text_cleaning import strip_invisible
from ragcrawler.items import Metadata

_CSV = "text/csv"
_TSV = "text/tab-separated-values"
_DELIMITERS = ",;\t|"
_SAMPLE_ROWS = 50
_SAMPLE_CHARACTERS = 64 * 1024
_MAX_CELLS = 500_000
_MAX_COLUMNS = 1_000
_MAX_FIELD_CHARACTERS = 2**31 - 1  # the length of the body bounds it
# Excel begins a file so for readers that would guess the delimiter.
_SAID = "sep="


@dataclass(frozen=True, slots=True)
class _Table:
    rows: list[list[str]]
    warnings: tuple[str, ...]


def convert_csv(text: str, url: str, _limits: ConversionLimits) -> Converted:
    """Convert comma-separated values; the comma may be a semicolon, a tab or a bar.

    The first row is the header. Beyond 500,000 cells and 1,000 columns the table is cut, with a warning.

    Raises:
        ConversionError: `empty` where no cell holds a character, `damaged` where it cannot be read.
    """
    text, delimiter = _delimiter(text)
    return _convert(text, delimiter, url, _CSV)


def convert_tsv(text: str, url: str, _limits: ConversionLimits) -> Converted:
    """Convert tab-separated values. Bounds and errors as for `convert_csv`."""
    return _convert(text, "\t", url, _TSV)


def _convert(text: str, delimiter: str, url: str, media_type: str) -> Converted:
    text, hidden_characters = strip_invisible(text)
    try:
        table = _bounded(_rows(text, delimiter))
    except csv.Error as error:
        raise ConversionError("damaged", f"no table: {error}", url=url) from error
    if not table.rows:
        raise ConversionError("empty", "no cell holds a character", url=url)
    markdown = table_of(table.rows) + "\n"
    metadata = Metadata(
        media_type=media_type,
        converter="delimited",
        hidden_characters=hidden_characters,
        warnings=table.warnings,
    )
    return replace(Converted(file_name(url), markdown, metadata), links=bare_links(text))


def table_of(rows: list[list[str]]) -> str:
    """A Markdown table of rows of plain texts, the first of them the header; rows may differ in length."""
    columns = max(map(len, rows))
    header, *others = (_line(row, columns) for row in rows)
    return "\n".join([header, "|" + " --- |" * columns, *others])


def _line(row: list[str], columns: int) -> str:
    cells = (escape_cell(escape_inline(cell)) for cell in row)
    return "| " + " | ".join([*cells, *[""] * (columns - len(row))]) + " |"


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    """The rows that hold something, without empty cells at their ends."""
    csv.field_size_limit(_MAX_FIELD_CHARACTERS)
    for row in csv.reader(StringIO(text, newline=""), delimiter=delimiter):
        while row and not row[-1].strip():
            row.pop()
        if row:
            yield row


def _bounded(rows: Iterable[list[str]]) -> _Table:
    kept: list[list[str]] = []
    columns = cut_columns = left_out = 0
    for row in rows:
        columns = max(columns, min(len(row), _MAX_COLUMNS))
        if left_out or columns * (len(kept) + 1) > _MAX_CELLS:
            left_out += 1
            continue
        cut_columns = max(cut_columns, len(row) - _MAX_COLUMNS)
        kept.append(row[:_MAX_COLUMNS])
    said = {
        f"left out: rows of a table of over {_MAX_CELLS} cells ({left_out})": left_out,
        f"left out: columns of a table of over {_MAX_COLUMNS} ({cut_columns})": cut_columns,
    }
    return _Table(kept, tuple(warning for warning, count in said.items() if count > 0))


def _delimiter(text: str) -> tuple[str, str]:
    """The text, without a line that names its delimiter, and that delimiter."""
    first, _, rest = text.partition("\n")
    if first.lower().startswith(_SAID) and len(first.strip()) == len(_SAID) + 1:
        return rest, first.strip()[-1]
    sample = text[:_SAMPLE_CHARACTERS]
    return text, max(_DELIMITERS, key=lambda delimiter: _agreement(sample, delimiter))


def _agreement(sample: str, delimiter: str) -> tuple[float, int]:
    """How many of the first rows have as many cells as most have, if these are more than one."""
    try:
        widths = [len(row) for row in islice(_rows(sample, delimiter), _SAMPLE_ROWS)]
    except csv.Error:
        return 0.0, 0
    if not widths:
        return 0.0, 0
    usual = max(set(widths), key=widths.count)
    return (widths.count(usual) / len(widths), usual) if usual > 1 else (0.0, 0)

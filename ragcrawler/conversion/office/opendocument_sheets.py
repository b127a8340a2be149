"""OpenDocument sheets: LibreOffice fills them up with empty rows and cells to their last corner."""

from typing import Any
from zipfile import ZipFile

from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.office.marks import Marked
from ragcrawler.conversion.office.rewriting import tree_bytes, tree_of

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_ROWS_REPEATED = f"{_TABLE}number-rows-repeated"
_COLUMNS_REPEATED = f"{_TABLE}number-columns-repeated"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_VALUE_TYPE = f"{_OFFICE}value-type"
_VALUES = (f"{_OFFICE}value", f"{_OFFICE}date-value", f"{_OFFICE}time-value", f"{_OFFICE}boolean-value")
_PARAGRAPH = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}p"
_MAX_PLACES = 1_000_000


def rewrite_ods(archive: ZipFile, url: str, _marked: Marked) -> dict[str, bytes]:
    """Take out the empty rows and cells behind the last that holds something.

    Raises:
        ConversionError: `too_large` where over a million places are left.
    """
    name = "content.xml"
    root = tree_of(archive, name, url)
    places = sum(_trim(row) for row in list(root.iter(f"{_TABLE}table-row")))
    if places > _MAX_PLACES:
        raise ConversionError("too_large", f"{name} has {places} places, over {_MAX_PLACES}", url=url)
    return {name: tree_bytes(root)}


def _trim(row: Any) -> int:
    """How many places a row has, without the empty ones at its end."""
    cells = list(row)
    while cells and not _holds(cells[-1]):
        row.remove(cells.pop())
    if not cells:
        row.attrib.pop(_ROWS_REPEATED, None)  # many empty rows part two tables as one does
        return 1
    _show(row)
    return _count(row, _ROWS_REPEATED) * sum(_count(cell, _COLUMNS_REPEATED) for cell in cells)


def _show(row: Any) -> None:
    """Let cells be texts, as a reader sees them: 25 % for 0.25."""
    for cell in row:
        if cell.get(_VALUE_TYPE, "string") != "string" and cell.find(_PARAGRAPH) is not None:
            cell.set(_VALUE_TYPE, "string")
            for name in _VALUES:
                cell.attrib.pop(name, None)


def _holds(cell: Any) -> bool:
    return len(cell) > 0 or bool((cell.text or "").strip())


def _count(element: Any, name: str) -> int:
    value = element.get(name, "1")[:9]
    return int(value) if value.isascii() and value.isdigit() else 1

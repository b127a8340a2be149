"""Worksheets that claim more cells than they hold: to reach one in the last corner takes 17 billion steps."""

import re

from ragcrawler.conversion.errors import ConversionError

_PLACE = re.compile(rb'\br(?:ef)?="(?:[A-Z]{1,3}\d{1,7}:)?([A-Z]{1,3})(\d{1,7})"')
_MOST_PLACES = 1_000_000
_EMPTIEST = 100  # places to a cell


def check_sheet(text: bytes, name: str, url: str) -> None:
    """Refuse a worksheet whose used range is huge and nearly empty.

    Raises:
        ConversionError: `too_large`.
    """
    columns = rows = cells = 0
    for place in _PLACE.finditer(text):
        cells += 1
        columns, rows = max(columns, _number(place[1])), max(rows, int(place[2]))
    if columns * rows > max(_MOST_PLACES, _EMPTIEST * cells):
        message = f"{name} spans {rows} rows and {columns} columns with {cells} cells in them"
        raise ConversionError("too_large", message, url=url)


def _number(letters: bytes) -> int:
    """1 for A, 27 for AA."""
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number

"""Check an Office file before a library reads it."""

import re
from zipfile import ZipFile

from ragcrawler.conversion.archives.archive import open_archive, read_member
from ragcrawler.conversion.archives.xml_depth import check_xml_depth
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.office.formats import ODS, OfficeFormat

_PLACE = re.compile(rb'\br(?:ef)?="(?:[A-Z]{1,3}\d{1,7}:)?([A-Z]{1,3})(\d{1,7})"')
# OpenDocument repeats a row or cell by number, OOXML widens one
_REPEAT = re.compile(rb'\bnumber-(rows|columns)-repeated="(\d+)"|\b(gridSpan)\b[^>]*?val="(\d+)"')
_MOST_PLACES = 1_000_000
_MOST_REPEATS = 10_000
_EMPTIEST = 100  # places to a cell
# libxml2, under every reader here, refuses deeper trees by itself
_LIBXML_LEVELS = 255
_SHEETS = "xl/worksheets/"


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


def check_repeats(text: bytes, name: str, url: str) -> None:
    """Refuse a text document with a cell that is written once and stands in millions of places.

    Raises:
        ConversionError: `too_large`.
    """
    most = {b"rows": 1, b"columns": 1, b"gridSpan": 1}
    for kind, count, span_kind, span in _REPEAT.findall(text):
        key = kind or span_kind
        most[key] = max(most[key], int((count or span)[:9]))
    places = most[b"rows"] * most[b"columns"] * most[b"gridSpan"]
    if places > _MOST_REPEATS:
        raise ConversionError("too_large", f"a cell of {name} is repeated {places} times", url=url)


def _number(letters: bytes) -> int:
    """1 for A, 27 for AA."""
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number


def open_office_archive(form: OfficeFormat, body: bytes, url: str, limits: ConversionLimits) -> ZipFile:
    """Open the archive after a look at its sizes, its kind and the depth of its XML.

    Raises:
        ConversionError: `damaged`, `encrypted`, `too_large` or `too_deep`.
    """
    archive = open_archive(body, url, limits)
    names = archive.namelist()
    if form.main_part not in names:
        raise ConversionError("damaged", f"no {form.name} file: {form.main_part} is missing in it", url=url)
    levels = min(limits.max_nesting_levels, _LIBXML_LEVELS)
    for name in names:
        if name.endswith((".xml", ".rels")):
            text = read_member(archive, name, url)
            if text.strip():  # LibreOffice writes empty ones
                check_xml_depth(text, name, url, levels)
            if name.startswith(_SHEETS):
                check_sheet(text, name, url)
            elif name == form.main_part and form is not ODS:  # whose empty places do not count
                check_repeats(text, name, url)
    return archive

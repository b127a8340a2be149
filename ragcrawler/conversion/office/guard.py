"""Check an Office file before a library reads it."""

import re
from xml.parsers import expat
from zipfile import ZipFile

from ragcrawler.conversion.archives.archive import open_archive, read_member
from ragcrawler.conversion.archives.xml_depth import check_xml_depth
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.office.formats import ODS, OfficeFormat

_PLACE = re.compile(rb'\br(?:ef)?="(?:[A-Z]{1,3}\d{1,7}:)?([A-Z]{1,3})(\d{1,7})"')
_MOST_PLACES = 1_000_000
_MOST_REPEATS = 10_000
_MOST_CHARACTERS = 10_000_000
_EMPTIEST = 100  # places to a cell
# libxml2, under every reader here, refuses deeper trees by itself
_LIBXML_LEVELS = 255
_SHEETS = "xl/worksheets/"
_SLIDES = "ppt/slides/slide"


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


def check_tables(text: bytes, name: str, url: str, *, counts_repeats: bool = True) -> None:
    """Refuse a part with a cell or a text that is written once and stands in millions of places.

    Raises:
        ConversionError: `too_large`.
    """
    grid = _Grid()
    parser = expat.ParserCreate()
    parser.StartElementHandler = grid.start
    parser.EndElementHandler = grid.end
    parser.CharacterDataHandler = grid.text
    parser.Parse(text, True)
    if counts_repeats and grid.repeats > _MOST_REPEATS:
        raise ConversionError("too_large", f"cells of {name} are repeated {grid.repeats} times", url=url)
    if counts_repeats and grid.rows * grid.columns > _MOST_PLACES:
        message = f"tables of {name} span {grid.rows} rows and {grid.columns} columns"
        raise ConversionError("too_large", message, url=url)
    if grid.characters > _MOST_CHARACTERS:
        message = f"texts of {name} are repeated to {grid.characters} characters"
        raise ConversionError("too_large", message, url=url)


class _Grid:
    """How large the tables of a part are once it is read: OpenDocument repeats and spans, OOXML spans.

    Attributes:
        rows: of all tables together.
        columns: of the widest row.
        repeats: cells that are not written.
        characters: of texts that are not written.
    """

    def __init__(self) -> None:
        self.rows = 0
        self.columns = 0
        self.repeats = 0
        self.characters = 0
        self._times = [1]  # that what is inside each open element is repeated
        self._widths = [0]  # of each open row

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        said = {key.rpartition(":")[2]: _count(value) for key, value in attributes.items()}
        times = self._times[-1]
        if tag in _ROWS:
            times *= said.get("number-rows-repeated", 1)
            self.rows += times
            self._widths.append(0)
        elif tag in _CELLS:
            repeated = said.get("number-columns-repeated", 1)
            times *= repeated
            self._widths[-1] += repeated * max(said.get(each, 1) for each in _WIDE)
            self.rows += max(said.get(each, 1) for each in _HIGH) - 1
            self.repeats += times - 1
        elif tag in _GRID:
            self._widths[-1] += said.get("val", 1)
        elif tag == "s":
            self.characters += times * said.get("c", 1)
        self._times.append(times)

    def end(self, tag: str) -> None:
        self._times.pop()
        if tag.rpartition(":")[2] in _ROWS:
            self.columns = max(self.columns, self._widths.pop())

    def text(self, data: str) -> None:
        self.characters += (self._times[-1] - 1) * len(data.strip())


_ROWS = ("table-row", "tr")
_CELLS = ("table-cell", "covered-table-cell", "tc")
_WIDE = ("number-columns-spanned", "gridSpan")
_HIGH = ("number-rows-spanned", "rowSpan")
_GRID = ("gridSpan", "gridBefore", "gridAfter")


def _count(value: str) -> int:
    return max(int(value[:9]), 1) if value.isascii() and value.isdigit() else 1


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
            elif text.strip() and (name == form.main_part or name.startswith(_SLIDES)):
                check_tables(
                    text, name, url, counts_repeats=form is not ODS
                )  # whose empty places do not count
    return archive

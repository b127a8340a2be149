"""Check an Office file before a library reads it."""

from zipfile import ZipFile

from ragcrawler.conversion.archives.archive import open_archive, read_member
from ragcrawler.conversion.archives.xml_depth import check_xml_depth
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.office.cell_guard import check_repeats, check_sheet
from ragcrawler.conversion.office.formats import OfficeFormat

# libxml2, under every reader here, refuses deeper trees by itself
_LIBXML_LEVELS = 255
_SHEETS = "xl/worksheets/"


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
            elif name == form.main_part:
                check_repeats(text, name, url)
    return archive

"""Office documents to Markdown: the archive is checked, then docling reads it."""

import re
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING

from ragcrawler.conversion.archives.archive import read_member
from ragcrawler.conversion.archives.dublin_core import DublinCore, read_dublin_core
from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.links import document_links
from ragcrawler.conversion.office.formats import DOCX, ODP, ODS, ODT, PPTX, XLSX, OfficeFormat
from ragcrawler.conversion.office.guard import open_office_archive
from ragcrawler.conversion.office.losses import count_pictures, find_losses
from ragcrawler.conversion.office.marks import Marked
from ragcrawler.conversion.office.opendocument_sheets import rewrite_ods
from ragcrawler.conversion.office.rewriting import (
    Rewrite,
    rewrite_docx,
    rewrite_opendocument,
    rewrite_pptx,
    rewritten,
)
from ragcrawler.items import Metadata

if TYPE_CHECKING:
    from docling_core.types.doc.document import DoclingDocument

_FIRST_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)


def convert_docx(body: bytes, url: str, limits: ConversionLimits) -> Converted:
    """Convert a Word document.

    Raises:
        ConversionError: `damaged`, `encrypted`, `too_large`, `too_deep` or `empty`.
    """
    return _convert(DOCX, body, url, limits)


def convert_pptx(body: bytes, url: str, limits: ConversionLimits) -> Converted:
    """Convert a presentation; each slide is a section. Errors as for `convert_docx`."""
    return _convert(PPTX, body, url, limits)


def convert_xlsx(body: bytes, url: str, limits: ConversionLimits) -> Converted:
    """Convert a workbook; each visible sheet is a section. Errors as for `convert_docx`."""
    return _convert(XLSX, body, url, limits)


def convert_odt(body: bytes, url: str, limits: ConversionLimits) -> Converted:
    """Convert an OpenDocument text. Errors as for `convert_docx`."""
    return _convert(ODT, body, url, limits)


def convert_ods(body: bytes, url: str, limits: ConversionLimits) -> Converted:
    """Convert an OpenDocument spreadsheet; each sheet is a section. Errors as for `convert_docx`."""
    return _convert(ODS, body, url, limits)


def convert_odp(body: bytes, url: str, limits: ConversionLimits) -> Converted:
    """Convert an OpenDocument presentation; each slide is a section. Errors as for `convert_docx`."""
    return _convert(ODP, body, url, limits)


_REWRITES: dict[OfficeFormat, Rewrite] = {
    DOCX: rewrite_docx,
    PPTX: rewrite_pptx,
    ODS: rewrite_ods,
    ODT: rewrite_opendocument,
    ODP: rewrite_opendocument,
}


def _convert(form: OfficeFormat, body: bytes, url: str, limits: ConversionLimits) -> Converted:
    with open_office_archive(form, body, url, limits) as archive:
        properties = read_dublin_core(read_member(archive, form.properties_part, url))
        losses = find_losses(form, archive, url)
        shown = count_pictures(form, archive, url)
        marked = Marked()
        if form in _REWRITES:
            body, marked = rewritten(body, archive, _REWRITES[form], url)
    converted = _converted(_read(form, body, url, marked), form, properties, url)
    markdown = marked.resolve(converted.markdown)
    heading = _FIRST_HEADING.search(markdown)
    title = properties.title or (heading[1] if heading else "")
    if shown > len(converted.pictures):
        losses += (f"left out: pictures that cannot be read ({shown - len(converted.pictures)})",)
    metadata = replace(converted.metadata, warnings=losses)
    links = document_links(markdown, url)
    return replace(converted, title=title, markdown=markdown, metadata=metadata, links=links)


def _read(form: OfficeFormat, body: bytes, url: str, marked: Marked) -> "DoclingDocument":
    # docling costs seconds to import
    from docling.datamodel.base_models import DocumentStream, InputFormat
    from docling.document_converter import DocumentConverter, ExcelFormatOption, FormatOption

    from ragcrawler.conversion.office.worksheets import worksheet_reader

    kind = InputFormat(form.name)
    reader = ExcelFormatOption(backend=worksheet_reader(marked))
    options: dict[InputFormat, FormatOption] = {kind: reader} if form is XLSX else {}
    converter = DocumentConverter(allowed_formats=[kind], format_options=options)
    try:
        return converter.convert(DocumentStream(name=f"document.{form.name}", stream=BytesIO(body))).document
    # docling wraps what its readers raise, but not all of it; whatever it is, this document is lost
    except Exception as error:
        raise ConversionError(
            "damaged", f"docling cannot read the {form.name} file: {error}", url=url
        ) from error


def _converted(document: "DoclingDocument", form: OfficeFormat, said: DublinCore, url: str) -> Converted:
    from ragcrawler.conversion.docling.markdown import docling_markdown
    from ragcrawler.conversion.docling.pictures import docling_pictures

    names, pictures = docling_pictures(document)
    markdown = docling_markdown(document, names)
    if not markdown.strip():
        raise ConversionError("empty", f"the {form.name} file holds no text", url=url)
    metadata = Metadata(
        description=said.description,
        language=said.language,
        author=said.author,
        published=said.published,
        modified=said.modified,
        media_type=form.media_type,
        converter=f"{form.name}-docling",
        pages=len(document.pages),
    )
    return Converted("", markdown, metadata, pictures=pictures)

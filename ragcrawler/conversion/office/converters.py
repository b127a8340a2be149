"""Office documents to Markdown: the archive is checked, then docling reads it."""

import re
from io import BytesIO
from typing import TYPE_CHECKING

from ragcrawler.conversion.archives.archive import read_member
from ragcrawler.conversion.archives.dublin_core import DublinCore, read_dublin_core
from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.links import document_links
from ragcrawler.conversion.office.formats import DOCX, ODT, PPTX, XLSX, OfficeFormat
from ragcrawler.conversion.office.guard import open_office_archive
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


def _convert(form: OfficeFormat, body: bytes, url: str, limits: ConversionLimits) -> Converted:
    with open_office_archive(form, body, url, limits) as archive:
        properties = read_dublin_core(read_member(archive, form.properties_part, url))
    return _converted(_read(form, body, url), form, properties, url)


def _read(form: OfficeFormat, body: bytes, url: str) -> "DoclingDocument":
    # docling costs seconds to import
    from docling.datamodel.base_models import DocumentStream, InputFormat
    from docling.document_converter import DocumentConverter

    converter = DocumentConverter(allowed_formats=[InputFormat(form.name)])
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
    heading = _FIRST_HEADING.search(markdown)
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
    title = said.title or (heading[1] if heading else "")
    return Converted(title, markdown, metadata, links=document_links(markdown, url), pictures=pictures)

"""PDF to Markdown by docling's standard pipeline: layout and table models, pictures, OCR where it is on."""

from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.pdf.reading.document_reader import PdfContent, open_pdf, read_pdf
from ragcrawler.conversion.pdf.reading.information import pdf_metadata, pdf_title
from ragcrawler.conversion.pdf.scanned import scanned_pages, scanned_warning
from ragcrawler.conversion.pdf_options import PdfOptions

if TYPE_CHECKING:
    from docling.document_converter import DocumentConverter
    from docling_core.types.doc.document import DoclingDocument

CONVERTER = "pdf-docling"
_PICTURE_SCALE = 2.0  # 144 dots per inch


def convert_by_docling(body: bytes, url: str, limits: ConversionLimits) -> Converted:
    """Convert a PDF by docling's models.

    Raises:
        ConversionError: `damaged`, `encrypted`, `too_many_pages`, `empty`, `no_text_layer`, or
            `unsupported_type` where the models cannot be loaded.
    """
    with open_pdf(body, url, limits) as document:
        content = read_pdf(document)
    return docling_converted(_read(body, url, limits.pdf), content, url, ocr=limits.pdf.ocr)


def docling_converted(document: "DoclingDocument", content: PdfContent, url: str, *, ocr: bool) -> Converted:
    """The result of docling as `Converted`.

    Raises:
        ConversionError: `no_text_layer` or `empty`.
    """
    from ragcrawler.conversion.docling.markdown import docling_markdown
    from ragcrawler.conversion.docling.pictures import docling_pictures

    scanned = [] if ocr else scanned_pages(content.pages)
    names, pictures = docling_pictures(document)
    markdown = docling_markdown(document, names)
    if not any(item.text.strip() for item in document.texts) and not document.tables:
        _raise_without_text(content, scanned, url)
    title = pdf_title(content.information)
    metadata = pdf_metadata(content, CONVERTER, scanned_warning(scanned))
    return Converted(title or _first_heading(document), markdown, metadata, pictures=pictures)


def _raise_without_text(content: PdfContent, scanned: Sequence[int], url: str) -> None:
    if scanned:
        message = f"all {content.page_count} pages are pictures: convert it with OCR on"
        raise ConversionError("no_text_layer", message, url=url)
    raise ConversionError("empty", f"none of the {content.page_count} pages holds text", url=url)


def _first_heading(document: "DoclingDocument") -> str:
    return next((item.text for item in document.texts if item.label in {"title", "section_header"}), "")


def _read(body: bytes, url: str, options: PdfOptions) -> "DoclingDocument":
    from docling.datamodel.base_models import DocumentStream

    try:
        converter = _converter(options)
        return converter.convert(DocumentStream(name="document.pdf", stream=BytesIO(body))).document
    except (ImportError, FileNotFoundError) as error:
        message = f"docling's models in {options.artifacts_path!r} cannot be loaded (extra `pdf`?): {error}"
        raise ConversionError("unsupported_type", message, url=url) from error
    # docling wraps what its stages raise, but not all of it; whatever it is, this document is lost
    except Exception as error:
        raise ConversionError("damaged", f"docling cannot convert the PDF: {error}", url=url) from error


@lru_cache(maxsize=1)
def _converter(options: PdfOptions) -> "DocumentConverter":
    """Kept for the life of the process: its models take seconds to load."""
    from docling.datamodel.base_models import InputFormat
    from docling.datamodel.pipeline_options import PdfPipelineOptions
    from docling.document_converter import DocumentConverter, PdfFormatOption

    pipeline = PdfPipelineOptions(
        artifacts_path=Path(options.artifacts_path),
        do_ocr=options.ocr,
        do_table_structure=True,
        generate_picture_images=True,
        images_scale=_PICTURE_SCALE,
    )
    return DocumentConverter(
        allowed_formats=[InputFormat.PDF],
        format_options={InputFormat.PDF: PdfFormatOption(pipeline_options=pipeline)},
    )

"""PDF to Markdown from the text layer alone: no model, no weights."""

from collections.abc import Sequence
from typing import Any

from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.pdf.blocks import Figure, Heading
from ragcrawler.conversion.pdf.layout.document_style import document_style
from ragcrawler.conversion.pdf.layout.footnotes import FootnoteLabels
from ragcrawler.conversion.pdf.layout.steps import Understood, understand
from ragcrawler.conversion.pdf.reading.document_reader import PdfContent, open_pdf, read_pdf
from ragcrawler.conversion.pdf.reading.information import pdf_metadata, pdf_title
from ragcrawler.conversion.pdf.scanned import page_ranges, scanned_pages, scanned_warning
from ragcrawler.conversion.pdf.writing.hyphens import Hyphens
from ragcrawler.conversion.pdf.writing.inline import InlineWriter
from ragcrawler.conversion.pdf.writing.markdown_writer import MarkdownWriter
from ragcrawler.conversion.pdf.writing.pictures import take_pictures

CONVERTER = "pdf-text-layer"


def convert_text_layer(body: bytes, url: str, limits: ConversionLimits) -> Converted:
    """Convert a PDF by its text layer.

    Raises:
        ConversionError: `damaged`, `encrypted`, `too_many_pages`, `empty` or `no_text_layer`.
    """
    with open_pdf(body, url, limits) as document:
        content = read_pdf(document)
        scanned = scanned_pages(content.pages)
        if not any(page.lines for page in content.pages):
            _raise_without_text(content, scanned, url)
        converted = _convert(document, content, understand(content), limits)
        if not converted.markdown.strip():  # nothing but page numbers
            _raise_without_text(content, scanned, url)
        return converted


def _raise_without_text(content: PdfContent, scanned: Sequence[int], url: str) -> None:
    if scanned:
        message = f"all {content.page_count} pages are pictures: convert it with OCR on"
        raise ConversionError("no_text_layer", message, url=url)
    if content.damaged_pages:
        raise ConversionError("damaged", "no page of the PDF can be read", url=url)
    raise ConversionError("empty", f"none of the {content.page_count} pages holds text", url=url)


def _convert(
    document: Any, content: PdfContent, understood: Understood, limits: ConversionLimits
) -> Converted:
    blocks = understood.blocks
    lines = [line for page in content.pages for line in page.lines]
    hyphens = Hyphens(line.text for line in lines)
    inline = InlineWriter(hyphens, FootnoteLabels(blocks), mono=document_style(content.pages).mono)
    figures = [block for block in blocks if isinstance(block, Figure)]
    taken = take_pictures(document, figures, limits)
    writer = MarkdownWriter(inline, taken.names)
    markdown = writer.write(blocks)
    heading = next((block for block in blocks if isinstance(block, Heading)), None)
    title = pdf_title(content.information) or (inline.write(heading.lines, plain=True) if heading else "")
    scanned = scanned_warning(scanned_pages(content.pages))
    links = dict.fromkeys(word.link for line in lines for word in line.words if word.link)
    return Converted(
        title=title,
        markdown=markdown,
        metadata=pdf_metadata(
            content, CONVERTER, (*scanned, *_doubts(understood.doubtful_pages), *taken.warnings)
        ),
        anchors=tuple(writer.anchors),
        links=tuple(links),
        pictures=taken.pictures,
    )


def _doubts(pages: Sequence[int]) -> tuple[str, ...]:
    if not pages:
        return ()
    where = page_ranges(pages)
    return (f"a line at the edge that stands once was taken for a header or footer, on pages {where}",)

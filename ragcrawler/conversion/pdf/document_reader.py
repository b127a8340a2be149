"""Open a PDF and read what all its pages hold."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.pdf.outline import OutlineEntry, read_outline
from ragcrawler.conversion.pdf.page import PageContent
from ragcrawler.conversion.pdf.page_reader import read_page


@dataclass(frozen=True, slots=True)
class PdfContent:
    """A PDF, read but not yet understood.

    Attributes:
        pages: those that could be read.
        outline: its bookmarks.
        information: the document information dictionary: Title, Author, CreationDate.
        page_count: pages it has.
        damaged_pages: 1-based numbers of the pages that could not be read.
    """

    pages: tuple[PageContent, ...]
    outline: tuple[OutlineEntry, ...]
    information: Mapping[str, str]
    page_count: int
    damaged_pages: tuple[int, ...] = ()


@contextmanager
def open_pdf(body: bytes, url: str, limits: ConversionLimits) -> Iterator[Any]:
    """A `pypdfium2.PdfDocument`, closed afterwards.

    Raises:
        ConversionError: `damaged`, `encrypted`, `too_many_pages` or `empty`.
    """
    from pypdfium2 import PdfDocument, PdfiumError, raw

    try:
        document = PdfDocument(body)
    except PdfiumError as error:
        if getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD:
            raise ConversionError("encrypted", "the PDF asks for a password", url=url) from error
        raise ConversionError("damaged", f"PDFium cannot open the PDF: {error}", url=url) from error
    try:
        _check_pages(len(document), url, limits)
        yield document
    finally:
        document.close()


def _check_pages(count: int, url: str, limits: ConversionLimits) -> None:
    if count > limits.max_pages:
        raise ConversionError(
            "too_many_pages", f"{count} pages, over max_pages = {limits.max_pages}", url=url
        )
    if count == 0:
        raise ConversionError("empty", "the PDF has no pages", url=url)


def read_pdf(document: Any) -> PdfContent:
    """Read all pages of an open document."""
    from pypdfium2 import PdfiumError

    pages, damaged = [], []
    for number in range(len(document)):
        try:
            pages.append(read_page(document, number))
        except PdfiumError:
            damaged.append(number + 1)
    return PdfContent(
        pages=tuple(pages),
        outline=tuple(read_outline(document)),
        information=document.get_metadata_dict(skip_empty=True),
        page_count=len(document),
        damaged_pages=tuple(damaged),
    )

"""Open a PDF and read what all its pages hold."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from ctypes import c_ushort
from dataclasses import dataclass
from typing import Any

from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.pdf.reading.beside_text import attached_files
from ragcrawler.conversion.pdf.reading.outline import PdfOutlineEntry, read_outline
from ragcrawler.conversion.pdf.reading.page import PageContent
from ragcrawler.conversion.pdf.reading.page_reader import read_page

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")


@dataclass(frozen=True, slots=True)
class PdfContent:
    """A PDF, read but not yet understood.

    Attributes:
        pages: those that could be read.
        outline: its bookmarks.
        information: the document information dictionary: Title, Author, CreationDate.
        page_count: pages it has.
        language: BCP 47 tag, "" where it says none.
        damaged_pages: 1-based numbers of the pages that could not be read.
        attachments: files that it carries.
    """

    pages: tuple[PageContent, ...]
    outline: tuple[PdfOutlineEntry, ...]
    information: Mapping[str, str]
    page_count: int
    damaged_pages: tuple[int, ...] = ()
    language: str = ""
    attachments: int = 0


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
        language=_language(document),
        attachments=attached_files(document),
    )


def _language(document: Any) -> str:
    from pypdfium2 import raw

    length = raw.FPDFCatalog_GetLanguage(document.raw, None, 0)  # bytes of UTF-16, the NUL included
    buffer = (c_ushort * (length // 2))()
    raw.FPDFCatalog_GetLanguage(document.raw, buffer, length)
    language = bytes(buffer).decode("utf-16-le", "replace").rstrip("\0").strip()
    return language if _LANGUAGE.fullmatch(language) else ""

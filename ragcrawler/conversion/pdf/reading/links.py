"""The links of a page."""

import ctypes
from collections.abc import Iterator
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from ragcrawler.conversion.pdf.reading.frame import Frame
from ragcrawler.conversion.pdf.reading.geometry import Box

_MAX_LINKS = 1_000  # on one page
_SCHEMES = ("http://", "https://", "mailto:")


class Link(NamedTuple):
    """An area that leads to an absolute URL."""

    box: Box
    url: str


def read_links(document: Any, page: Any, frame: Frame) -> Iterator[Link]:
    """The links that lead out of the document."""
    position, link = ctypes.c_int(0), pdfium.FPDF_LINK()
    for _ in range(_MAX_LINKS):
        if not pdfium.FPDFLink_Enumerate(page.raw, ctypes.byref(position), ctypes.byref(link)):
            return
        url = _url(document, link)
        area = pdfium.FS_RECTF()
        if url and pdfium.FPDFLink_GetAnnotRect(link, ctypes.byref(area)):
            yield Link(frame.box(area.left, area.bottom, area.right, area.top), url)


def _url(document: Any, link: Any) -> str:
    action = pdfium.FPDFLink_GetAction(link)
    if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
        return ""
    length = pdfium.FPDFAction_GetURIPath(document.raw, action, None, 0)
    buffer = ctypes.create_string_buffer(length)
    pdfium.FPDFAction_GetURIPath(document.raw, action, buffer, length)
    url = buffer.value.decode("utf-8", "replace").strip()
    return url if url.lower().startswith(_SCHEMES) and not any(c.isspace() for c in url) else ""

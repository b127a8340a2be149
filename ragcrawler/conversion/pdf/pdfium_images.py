"""The pictures of a page."""

import ctypes
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pypdfium2.raw as pdfium

from ragcrawler.conversion.pdf.frame import Frame
from ragcrawler.conversion.pdf.page import Image

_MAX_PIXELS = 40_000_000  # 160 MB unpacked
_JPEG_FILTERS = ("DCTDecode",)


def read_images(page: Any, frame: Frame) -> Iterator[Image]:
    """Where the pictures stand, without their pixels."""
    for index in range(pdfium.FPDFPage_CountObjects(page.raw)):
        element = pdfium.FPDFPage_GetObject(page.raw, index)
        if pdfium.FPDFPageObj_GetType(element) == pdfium.FPDF_PAGEOBJ_IMAGE:
            left, bottom, right, top = (ctypes.c_float() for _ in range(4))
            pdfium.FPDFPageObj_GetBounds(element, left, bottom, right, top)
            width, height = ctypes.c_uint(), ctypes.c_uint()
            pdfium.FPDFImageObj_GetImagePixelSize(element, ctypes.byref(width), ctypes.byref(height))
            box = frame.box(left.value, bottom.value, right.value, top.value)
            yield Image(box, index, width.value * height.value)


def image_file(page: Any, image: Image) -> tuple[str, bytes] | None:
    """Extension and bytes of an image file: the JPEG that was put in, else a PNG; None where it cannot be."""
    from pypdfium2 import PdfImage, PdfiumError

    if not 0 < image.pixels <= _MAX_PIXELS:
        return None
    element = PdfImage(pdfium.FPDFPage_GetObject(page.raw, image.index), page=page, pdf=page.pdf)
    try:
        if tuple(element.get_filters()) == _JPEG_FILTERS:
            return "jpg", bytes(element.get_data())
        buffer = BytesIO()
        element.get_bitmap(render=False).to_pil().save(buffer, "PNG")
    except (PdfiumError, OSError, ValueError):
        return None  # the caller names it among the warnings
    return "png", buffer.getvalue()

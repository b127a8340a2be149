"""The pictures of a page."""

import ctypes
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from typing import Any

import pypdfium2.raw as pdfium

from ragcrawler.conversion.pdf.reading.frame import Frame
from ragcrawler.conversion.pdf.reading.geometry import Box, hull
from ragcrawler.conversion.pdf.reading.objects import moved, page_objects
from ragcrawler.conversion.pdf.reading.page import Image

_MAX_PIXELS = 40_000_000  # 160 MB unpacked
_UNIT_SQUARE = ((0, 0), (1, 0), (0, 1), (1, 1))  # what an image's matrix moves to its place
_JPEG_FILTERS = ("DCTDecode",)


def read_images(page: Any, frame: Frame) -> Iterator[Image]:
    """Where the pictures stand, without their pixels."""
    width, height = ctypes.c_uint(), ctypes.c_uint()
    for index, (element, matrix) in enumerate(page_objects(page, pdfium.FPDF_PAGEOBJ_IMAGE)):
        pdfium.FPDFImageObj_GetImagePixelSize(element, ctypes.byref(width), ctypes.byref(height))
        corners = [moved(matrix, x, y) for x, y in _UNIT_SQUARE]
        points = [frame.point(x, y) for x, y in corners]
        box = hull(Box(x, y, x, y) for x, y in points)
        yield Image(box, index, width.value * height.value)


def image_file(page: Any, image: Image) -> tuple[str, bytes] | None:
    """Extension and bytes of an image file: the JPEG that was put in, else a PNG; None where it has none."""
    from pypdfium2 import PdfImage, PdfiumError

    if not 0 < image.pixels <= _MAX_PIXELS:
        return None
    raw, _ = next(islice(page_objects(page, pdfium.FPDF_PAGEOBJ_IMAGE), image.index, None))
    element = PdfImage(raw, page=page, pdf=page.pdf)
    try:
        if tuple(element.get_filters()) == _JPEG_FILTERS:
            return "jpg", bytes(element.get_data())
        buffer = BytesIO()
        element.get_bitmap(render=False).to_pil().save(buffer, "PNG")
    except (PdfiumError, OSError, ValueError):
        return None  # the caller names it among the warnings
    return "png", buffer.getvalue()

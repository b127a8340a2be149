"""Text that a PDF holds beside its pages' text: filled form fields, notes, attached files."""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium

_MAX_ANNOTATIONS = 1_000  # on one page
_MAX_VALUE_BYTES = 2**16
# Popups repeat the note that they belong to; the others are no text, or read elsewhere.
_NO_NOTES = {pdfium.FPDF_ANNOT_LINK, pdfium.FPDF_ANNOT_POPUP, pdfium.FPDF_ANNOT_WIDGET}
_WRITTEN_FIELDS = ("Tx", "Ch")  # what buttons and boxes hold are marks


@dataclass(frozen=True, slots=True)
class BesideText:
    """What a page holds that is not in its text.

    Attributes:
        fields: of a form, that somebody has filled in.
        notes: annotations with a text.
    """

    fields: int = 0
    notes: int = 0


def read_beside_text(page: Any) -> BesideText:
    """Count the annotations of a page that say something."""
    fields = notes = 0
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page.raw), _MAX_ANNOTATIONS)):
        with _annotation(page, index) as annotation:
            kind = pdfium.FPDFAnnot_GetSubtype(annotation)
            if kind == pdfium.FPDF_ANNOT_WIDGET:
                fields += _value(annotation, b"FT") in _WRITTEN_FIELDS and bool(_value(annotation, b"V"))
            elif kind not in _NO_NOTES:
                notes += bool(_value(annotation, b"Contents"))
    return BesideText(fields, notes)


def attached_files(document: Any) -> int:
    """How many files a document carries."""
    return int(max(pdfium.FPDFDoc_GetAttachmentCount(document.raw), 0))


@contextmanager
def _annotation(page: Any, index: int) -> Iterator[Any]:
    annotation = pdfium.FPDFPage_GetAnnot(page.raw, index)
    try:
        yield annotation
    finally:
        pdfium.FPDFPage_CloseAnnot(annotation)


def _value(annotation: Any, key: bytes) -> str:
    """The beginning of a text or name, "" where there is none."""
    length = pdfium.FPDFAnnot_GetStringValue(annotation, key, None, 0)  # bytes of UTF-16, the NUL included
    if not 2 < length <= _MAX_VALUE_BYTES:  # noqa: PLR2004
        return "?" if length > _MAX_VALUE_BYTES else ""
    buffer = (ctypes.c_ushort * (length // 2))()
    pdfium.FPDFAnnot_GetStringValue(annotation, key, buffer, length)
    return bytes(buffer).decode("utf-16-le", "replace").rstrip("\0").strip()

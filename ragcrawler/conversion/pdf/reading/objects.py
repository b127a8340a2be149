"""The objects of a page, those inside of forms included, and where they stand."""

import ctypes
from collections.abc import Iterator
from typing import Any

import pypdfium2.raw as pdfium

Matrix = tuple[float, float, float, float, float, float]
"""`a b c d e f` of PDF 32000-1, 8.3.3."""

_MAX_OBJECTS = 50_000  # forms inside forms can multiply without end
_MAX_DEPTH = 8
_IDENTITY: Matrix = (1, 0, 0, 1, 0, 0)


def page_objects(page: Any, kind: int) -> Iterator[tuple[Any, Matrix]]:
    """The objects of one kind in drawing order, each with its matrix times those of the forms around it."""
    count = pdfium.FPDFPage_CountObjects(page.raw)
    roots: Iterator[Any] = (pdfium.FPDFPage_GetObject(page.raw, index) for index in range(count))
    waiting = [(roots, _IDENTITY)]
    for _ in range(_MAX_OBJECTS):
        while waiting and (element := next(waiting[-1][0], None)) is None:
            waiting.pop()
        if not waiting:
            return
        matrix = _times(_matrix(element), waiting[-1][1])
        found = pdfium.FPDFPageObj_GetType(element)
        if found == kind:
            yield element, matrix
        elif found == pdfium.FPDF_PAGEOBJ_FORM and len(waiting) <= _MAX_DEPTH:
            waiting.append((_inside(element), matrix))


def moved(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """A point moved by a matrix."""
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _inside(form: Any) -> Iterator[Any]:
    count = max(pdfium.FPDFFormObj_CountObjects(form), 0)
    return (pdfium.FPDFFormObj_GetObject(form, index) for index in range(count))


def _matrix(element: Any) -> Matrix:
    found = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(element, ctypes.byref(found))
    return found.a, found.b, found.c, found.d, found.e, found.f


def _times(first: Matrix, then: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u

"""The rules and filled areas of a page: tables are drawn with them."""

import ctypes
from collections.abc import Iterator
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from ragcrawler.conversion.pdf.frame import Frame
from ragcrawler.conversion.pdf.geometry import Box, hull
from ragcrawler.conversion.pdf.page import Drawing

_THICKEST_RULE = 3.0  # points; thicker is an area
_SHORTEST_RULE = 3.0
_MAX_SEGMENTS = 20_000  # a page with more is a drawing, and no table is looked for on it
_MAX_FORM_DEPTH = 8
_FEWEST_POINTS = 2

_Matrix = tuple[float, float, float, float, float, float]


class _Stroke(NamedTuple):
    box: Box
    filled: bool
    stroked: bool


def read_drawing(page: Any, frame: Frame) -> Drawing:
    """The rules and fills of a page; none where there are so many that it is a picture."""
    horizontal: list[Box] = []
    vertical: list[Box] = []
    fills: list[Box] = []
    for count, stroke in enumerate(_strokes(page, frame)):
        if count > _MAX_SEGMENTS:
            return Drawing()
        _sort_in(stroke, horizontal, vertical, fills)
    return Drawing(tuple(horizontal), tuple(vertical), tuple(fills))


def _sort_in(stroke: _Stroke, horizontal: list[Box], vertical: list[Box], fills: list[Box]) -> None:
    box = stroke.box
    if box.height <= _THICKEST_RULE and box.width >= _SHORTEST_RULE:
        horizontal.append(box)
    elif box.width <= _THICKEST_RULE and box.height >= _SHORTEST_RULE:
        vertical.append(box)
    elif box.width > _THICKEST_RULE and box.height > _THICKEST_RULE:
        if stroke.filled:
            fills.append(box)
        if stroke.stroked:
            horizontal += [box._replace(bottom=box.top), box._replace(top=box.bottom)]
            vertical += [box._replace(x1=box.x0), box._replace(x0=box.x1)]


def _strokes(page: Any, frame: Frame) -> Iterator[_Stroke]:
    count = pdfium.FPDFPage_CountObjects(page.raw)
    objects = (pdfium.FPDFPage_GetObject(page.raw, index) for index in range(count))
    for element, matrix in _flat(objects, (1, 0, 0, 1, 0, 0), 0):
        yield from _subpaths(element, _times(_matrix(element), matrix), frame)


def _flat(objects: Iterator[Any], matrix: _Matrix, depth: int) -> Iterator[tuple[Any, _Matrix]]:
    for element in objects:
        kind = pdfium.FPDFPageObj_GetType(element)
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            yield element, matrix
        elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _MAX_FORM_DEPTH:
            inner = range(max(pdfium.FPDFFormObj_CountObjects(element), 0))
            parts = (pdfium.FPDFFormObj_GetObject(element, index) for index in inner)
            yield from _flat(parts, _times(_matrix(element), matrix), depth + 1)


def _matrix(element: Any) -> _Matrix:
    found = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(element, ctypes.byref(found))
    return found.a, found.b, found.c, found.d, found.e, found.f


def _times(first: _Matrix, then: _Matrix) -> _Matrix:
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u


def _subpaths(element: Any, matrix: _Matrix, frame: Frame) -> Iterator[_Stroke]:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(element, ctypes.byref(fill), ctypes.byref(stroke))
    if not fill.value and not stroke.value:
        return
    points: list[Box] = []
    for point, begins in _points(element, matrix, frame):
        if begins:
            yield from _stroke(points, bool(fill.value), bool(stroke.value))
            points = []
        points.append(point)
    yield from _stroke(points, bool(fill.value), bool(stroke.value))


def _stroke(points: list[Box], filled: bool, stroked: bool) -> Iterator[_Stroke]:
    if len(points) < _FEWEST_POINTS:
        return
    box = hull(points)
    oblique = len(points) == _FEWEST_POINTS and min(box.width, box.height) > _THICKEST_RULE
    if not oblique:
        yield _Stroke(box, filled, stroked)


def _points(element: Any, matrix: _Matrix, frame: Frame) -> Iterator[tuple[Box, bool]]:
    x, y = ctypes.c_float(), ctypes.c_float()
    a, b, c, d, e, f = matrix
    for index in range(min(max(pdfium.FPDFPath_CountSegments(element), 0), _MAX_SEGMENTS)):
        segment = pdfium.FPDFPath_GetPathSegment(element, index)
        pdfium.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
        h, v = frame.point(a * x.value + c * y.value + e, b * x.value + d * y.value + f)
        yield Box(h, v, h, v), pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_MOVETO

"""The rules and filled areas of a page: tables are drawn with them."""

import ctypes
from collections.abc import Iterator
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from ragcrawler.conversion.pdf.reading.frame import Frame
from ragcrawler.conversion.pdf.reading.geometry import Box, hull
from ragcrawler.conversion.pdf.reading.objects import Matrix, moved, page_objects
from ragcrawler.conversion.pdf.reading.page import Drawing

_THICKEST_RULE = 3.0  # points; thicker is an area
_SHORTEST_RULE = 3.0
_MAX_SEGMENTS = 20_000  # a page with more is a drawing, and no table is looked for on it
_FEWEST_POINTS = 2
_BULLET = (1.5, 6.0)  # points
_NOT_SQUARE = 0.6


class _Stroke(NamedTuple):
    box: Box
    filled: bool
    stroked: bool


def read_drawing(page: Any, frame: Frame) -> Drawing:
    """The rules and fills of a page; none where there are so many that it is a picture."""
    horizontal: list[Box] = []
    vertical: list[Box] = []
    fills: list[Box] = []
    bullets: list[Box] = []
    for count, stroke in enumerate(_strokes(page, frame)):
        if count > _MAX_SEGMENTS:
            return Drawing()
        if _is_bullet(stroke.box):
            bullets.append(stroke.box)
        else:
            _sort_in(stroke, horizontal, vertical, fills)
    return Drawing(tuple(horizontal), tuple(vertical), tuple(fills), tuple(bullets))


def _is_bullet(box: Box) -> bool:
    smallest, largest = _BULLET
    return smallest <= box.width <= largest and abs(box.width - box.height) <= _NOT_SQUARE


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
    for element, matrix in page_objects(page, pdfium.FPDF_PAGEOBJ_PATH):
        yield from _subpaths(element, matrix, frame)


def _subpaths(element: Any, matrix: Matrix, frame: Frame) -> Iterator[_Stroke]:
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


def _points(element: Any, matrix: Matrix, frame: Frame) -> Iterator[tuple[Box, bool]]:
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(min(max(pdfium.FPDFPath_CountSegments(element), 0), _MAX_SEGMENTS)):
        segment = pdfium.FPDFPath_GetPathSegment(element, index)
        pdfium.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
        h, v = frame.point(*moved(matrix, x.value, y.value))
        yield Box(h, v, h, v), pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_MOVETO

"""Bullets that are drawn: browsers paint those of a list as small shapes, not as characters."""

from collections.abc import Sequence

from ragcrawler.conversion.pdf.reading.geometry import Box
from ragcrawler.conversion.pdf.reading.text.lines import Line, Style, Word

_MOST_BULLETS = 300  # on one page; with more they are the points of a chart
_FARTHEST = 3.0  # in units of the font size, from the text


def with_bullets(lines: Sequence[Line], shapes: Sequence[Box]) -> list[Line]:
    """The lines, each with a `•` before it where a small shape stands right before it at half its height."""
    if not shapes or len(shapes) > _MOST_BULLETS:
        return list(lines)
    return [_with_bullet(line, shapes) for line in lines]


def _with_bullet(line: Line, shapes: Sequence[Box]) -> Line:
    top, bottom, left = line.box.top, line.box.bottom, line.box.x0
    farthest = _FARTHEST * line.style.size
    for shape in shapes:
        if top < shape.middle[1] < bottom and 0 < left - shape.x1 <= farthest:
            first = line.words[0]
            style = Style(first.style.font, first.style.size)
            return line.with_words((Word("•", shape, first.baseline, style), *line.words))
    return line

"""Lines of one column that belong together: a paragraph, a heading, a list item, a listing."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragcrawler.conversion.pdf.layout.document_style import DocumentStyle
from ragcrawler.conversion.pdf.layout.footnotes import starts_footnote
from ragcrawler.conversion.pdf.layout.rows import is_marker
from ragcrawler.conversion.pdf.reading.geometry import Box
from ragcrawler.conversion.pdf.reading.text.lines import Line

_LOOSER = 1.25  # times the usual distance of lines: a gap between paragraphs
_SIZE_STEP = 0.6  # points between sizes that are meant to differ
_BLANK_LINES = 2.6  # line distances that a listing without background can be apart
_INDENT = 0.8  # in units of the font size: the first line of a paragraph
_STACKED = 1.0  # points between backgrounds of one listing
_SAME_EDGE = 2.0  # points
_BEGINS_LIST = re.compile(r"[^\w\-–—*+()\[]|[(\[]?1[.)\]]|[(\[]?[ai][)\]]")  # bullets, `1.`, `(a)`


@dataclass(frozen=True, slots=True)
class GroupRules:
    """The thresholds that decide on a page whether two lines belong together.

    Attributes:
        style: of running text.
        fills: backgrounds on the page; code has one, often.
        headings: indices of lines that begin a heading of the outline, with the index behind its end.
    """

    style: DocumentStyle
    fills: Sequence[Box]
    headings: dict[int, int]


def group_lines(lines: Sequence[Line], rules: GroupRules) -> Iterator[tuple[Line, ...]]:
    """Cut the lines of a column, which are in reading order, into groups."""
    start = 0
    end_of_heading = rules.headings.get(0, 0)
    for index in range(1, len(lines)):
        if index < end_of_heading:
            continue
        if (
            index == end_of_heading
            or index in rules.headings
            or _parts(lines[start:index], lines[index], rules)
        ):
            yield tuple(lines[start:index])
            start = index
            end_of_heading = rules.headings.get(index, 0)
    if lines:
        yield tuple(lines[start:])


def is_code(line: Line, style: DocumentStyle) -> bool:
    """Whether a line looks like code."""
    return line.mono and not style.mono


def starts_item(line: Line, group: Sequence[Line] = ()) -> bool:
    """Whether a line begins with the marker of a list item.

    Args:
        line: the line.
        group: the lines before it in the paragraph. Within one, a dash, an initial or a number is taken for a
            marker only where a marker stands above it, or where it is the first of its kind.
    """
    if len(line.words) < 2 or not is_marker(line.words[0].text):  # noqa: PLR2004 - a marker and a word
        return False
    marker = line.words[0]
    if not group or _BEGINS_LIST.match(marker.text):
        return True
    first = group[0].words[0]
    return is_marker(first.text) and abs(first.box.x0 - marker.box.x0) < _SAME_EDGE


def _parts(group: Sequence[Line], line: Line, rules: GroupRules) -> bool:
    """Whether `line` begins a new group."""
    last = group[-1]
    distance = line.baseline - last.baseline
    if distance <= 0:
        return True
    was_code, code = is_code(last, rules.style), is_code(line, rules.style)
    if was_code and code and is_code(group[0], rules.style):
        return _parts_code(last, line, distance, rules)
    return (
        abs(last.style.size - line.style.size) > _SIZE_STEP
        or (last.bold != line.bold and not (code or was_code))
        or distance > rules.style.leading * _LOOSER * max(last.style.size, line.style.size)
        or ((code or was_code) and _background(last, rules) != _background(line, rules))
        or starts_footnote(line, rules.style.size)
        or starts_item(line, group)
        or _is_indented(group, line)
    )


def _parts_code(last: Line, line: Line, distance: float, rules: GroupRules) -> bool:
    backgrounds = _background(last, rules), _background(line, rules)
    if backgrounds[0] != backgrounds[1]:
        return True
    if backgrounds[0] is not None:
        return False
    return distance > _BLANK_LINES * rules.style.leading * last.style.size


def _background(line: Line, rules: GroupRules) -> Box | None:
    """The smallest fill that a line stands on."""
    behind = [fill for fill in rules.fills if fill.holds(line.box.middle)]
    return min(behind, key=lambda fill: fill.width * fill.height) if behind else None


def stacked(fills: Sequence[Box]) -> list[Box]:
    """Backgrounds that are drawn line by line, as one."""
    joined: list[Box] = []
    for fill in sorted(fills, key=lambda fill: (fill.x0, fill.x1, fill.top)):
        last = joined[-1] if joined else None
        if last and last.x0 == fill.x0 and last.x1 == fill.x1 and fill.top - last.bottom < _STACKED:
            joined[-1] = last._replace(bottom=max(last.bottom, fill.bottom))
        else:
            joined.append(fill)
    return joined


def _is_indented(group: Sequence[Line], line: Line) -> bool:
    """Whether `line` is the indented first line of a paragraph: what is before it has ended."""
    indent = line.box.x0 - min(group[0].box.x0, group[-1].box.x0)
    if starts_item(group[0]) or indent < _INDENT * line.style.size:
        return False
    return len(group) > 1 and group[-1].text[-1] in ".!?:;)”\"'"

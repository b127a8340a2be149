"""Where the rows of a table without a grid begin: a row can have several lines."""

from collections.abc import Sequence

from ragcrawler.conversion.pdf.layout.document_style import DocumentStyle
from ragcrawler.conversion.pdf.reading.geometry import Box
from ragcrawler.conversion.pdf.reading.text.lines import Line

PlacedRow = list[tuple[int, Line]]
"""The lines at one height, each with its column."""

FEWEST_ROWS = 3
_PADDED = 1.2  # line distances from which a gap parts rows
_RULE_WIDTH = 0.5  # of the table's
_SPACE = 0.6  # of the font size: a word that would have fitted with so much to spare was not wrapped
_MANY = 3  # cells of a row without its first


def row_starts(
    placed: Sequence[PlacedRow], spans: Sequence[Sequence[float]], rules: Sequence[Box], style: DocumentStyle
) -> list[int]:
    """Indices of the rows that begin a row of the table: below rules, else by gaps and by what was wrapped.

    Args:
        placed: what stands at each height.
        spans: [x0, x1] of each column.
        rules: horizontal ones of the page.
        style: of running text.
    """
    tops = [line.box.top for row in placed for _, line in row]
    bottoms = [line.box.bottom for row in placed for _, line in row]
    box = Box(min(span[0] for span in spans), min(tops), max(span[1] for span in spans), max(bottoms))
    return _ruled_starts(placed, box, rules) or _spaced_starts(placed, spans, style)


def crosses(rule: Box, box: Box) -> bool:
    """Whether a horizontal rule goes through most of a box."""
    inside = min(rule.x1, box.x1) - max(rule.x0, box.x0)
    return box.top < rule.top < box.bottom and inside >= _RULE_WIDTH * box.width


def is_padded(placed: Sequence[PlacedRow], style: DocumentStyle) -> bool:
    """Whether gaps part the rows, as far as one can tell."""
    return sum(_are_apart(placed, style)) > sum(_has_first(row) for row in placed[1:]) / 2


def _ruled_starts(placed: Sequence[PlacedRow], box: Box, rules: Sequence[Box]) -> list[int]:
    """Indices of the rows below a rule, [] where there is not a rule to every second row or so."""
    heights = sorted(rule.top for rule in rules if crosses(rule, box))
    starts = [0]
    for index in range(1, len(placed)):
        above = max(line.box.middle[1] for _, line in placed[index - 1])
        below = max(line.box.middle[1] for _, line in placed[index])
        if any(above < height < below for height in heights):
            starts.append(index)
    return starts if len(starts) >= FEWEST_ROWS else []


def _spaced_starts(
    placed: Sequence[PlacedRow], spans: Sequence[Sequence[float]], style: DocumentStyle
) -> list[int]:
    """Indices of the rows that a gap sets apart; without gaps, of those with a first cell.

    What is not the wrapped rest of the line above begins a row, too.
    """
    padded = is_padded(placed, style)
    apart = _are_apart(placed, style)
    starts = [0]
    for index, row in enumerate(placed[1:], start=1):
        begins = apart[index - 1] if padded else _has_first(row) or _is_full(row, spans)
        if begins or _is_not_wrapped(placed[starts[-1] : index], row, spans):
            starts.append(index)
    return starts


def _are_apart(placed: Sequence[PlacedRow], style: DocumentStyle) -> list[bool]:
    widest = _PADDED * style.leading
    tops = [min(line.baseline for _, line in row) for row in placed]
    sizes = [row[0][1].style.size for row in placed]
    return [tops[at] - tops[at - 1] > widest * sizes[at] for at in range(1, len(placed))]


def _has_first(row: PlacedRow) -> bool:
    return any(column == 0 for column, _ in row)


def _is_full(row: PlacedRow, spans: Sequence[Sequence[float]]) -> bool:
    """Whether all columns but the first have a cell, and these are many: they are not wrapped all at once."""
    return len(row) >= max(_MANY, len(spans) - 1)


def _is_number(line: Line) -> bool:
    return len(line.words) == 1 and any(character.isdigit() for character in line.text)


def _is_not_wrapped(above: Sequence[PlacedRow], row: PlacedRow, spans: Sequence[Sequence[float]]) -> bool:
    """Whether a first word would have had room at the end of the line above it, or both are numbers."""
    ends = {column: line for lines in above for column, line in lines}
    for column, line in row:
        if column in ends:
            last, first = ends[column], line.words[0]
            would_fit = last.box.x1 + first.box.width + _SPACE * line.style.size < spans[column][1]
            if would_fit or (_is_number(last) and _is_number(line)):
                return True
    return False

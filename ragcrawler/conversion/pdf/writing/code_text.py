"""A listing as text: its indentation and blank lines are read off the positions."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from ragcrawler.conversion.pdf.reading.text import Line

_MOST_BLANK_LINES = 2


def code_text(lines: Sequence[Line]) -> str:
    """The text of monospaced lines, indented relative to the leftmost."""
    advance = median(word.box.width / len(word.text) for line in lines for word in line.words)
    left = min(line.box.x0 for line in lines)
    spacing = _spacing(lines)
    rows: list[str] = []
    for index, line in enumerate(lines):
        if index and spacing:
            distance = (line.baseline - lines[index - 1].baseline) / spacing
            rows += [""] * min(max(round(distance) - 1, 0), _MOST_BLANK_LINES)
        rows.append(_row(line, left, max(advance, 0.1)))
    return "\n".join(rows)


def _spacing(lines: Sequence[Line]) -> float:
    """The usual distance of two lines, 0 where there is one line."""
    distances = sorted(other.baseline - one.baseline for one, other in pairwise(lines))
    distances = [distance for distance in distances if distance > 0]
    return distances[len(distances) // 4] if distances else 0.0


def _row(line: Line, left: float, advance: float) -> str:
    row = ""
    for word in line.words:
        column = round((word.box.x0 - left) / advance)
        gap = max(column - len(row), 1) if word.spaced and row else max(column, 0) if not row else 0
        row += " " * gap + word.text
    return row

"""Pieces of one line that the producer wrote apart: a bullet after its item, a link after its sentence."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from ragcrawler.conversion.pdf.reading.text.lines import Line
from ragcrawler.conversion.pdf.reading.text.words import reads_leftwards

_WIDEST_GAP = 1.0  # in units of the font size
_WIDEST_MARKER_GAP = 3.0
_SAME_BASELINE = 0.2
_FEWEST_LINES = 4  # that agree on a gutter
_FEWEST_WORDS = 2
# with the private area, where symbol fonts have their bullets
_BULLETS = "•‣◦▪▫■□●○◆◇♦–—*+·∙⋅➢➤►▸▶▹✓✔✗✘❖→⇒»\uf000-\uf0ff-"
_MARKER = re.compile(f"[{_BULLETS}]$" + r"|[(\[]?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{2,5})[.)\]]$")


def is_marker(text: str) -> bool:
    """Whether a text can stand before a list item: a bullet, `3.`, `b)`, `(iv)`."""
    return bool(_MARKER.match(text))


def merge_pieces(lines: Iterable[Line]) -> list[Line]:
    """Join lines that stand on one baseline beside each other; the order of the longest piece is kept."""
    ordered = sorted(lines, key=lambda line: (round(line.baseline), line.box.x0))
    gutters = _gutters(ordered)
    merged: list[Line] = []
    for line in ordered:
        if round(line.box.x0) in gutters:
            merged.append(line)
            continue
        for index in range(len(merged) - 1, max(len(merged) - 6, -1), -1):
            if _adjoins(merged[index], line):
                merged[index] = _join(merged[index], line)
                break
        else:
            merged.append(line)
    return sorted(merged, key=lambda line: line.order)


def _gutters(ordered: Sequence[Line]) -> set[int]:
    """Where the lines of a narrow gutter's right column begin: text stands right before many of them."""
    pairs = [pair for pair in pairwise(ordered) if min(len(line.words) for line in pair) >= _FEWEST_WORDS]
    starts = Counter(round(right.box.x0) for left, right in pairs if _adjoins(left, right))
    return {x for x, count in starts.items() if count >= _FEWEST_LINES}


def join_listing(lines: Iterable[Line]) -> list[Line]:
    """Join monospaced pieces of one line, however far apart: what is no table by now is a listing."""
    joined: list[Line] = []
    for line in lines:
        last = joined[-1] if joined else None
        if last and last.mono and line.mono and last.box.x1 < line.box.x0 and _share_baseline(last, line):
            joined[-1] = _join(last, line)
        else:
            joined.append(line)
    return joined


def _share_baseline(left: Line, right: Line) -> bool:
    return abs(left.baseline - right.baseline) <= _SAME_BASELINE * max(left.style.size, right.style.size)


def _adjoins(left: Line, right: Line) -> bool:
    if not _share_baseline(left, right):
        return False
    size = max(left.style.size, right.style.size)
    widest = _WIDEST_MARKER_GAP if is_marker(left.text) else _WIDEST_GAP
    return -_SAME_BASELINE * size <= right.box.x0 - left.box.x1 <= widest * size


def _join(left: Line, right: Line) -> Line:
    longer = max(left, right, key=lambda line: len(line.text))
    words = (*right.words, *left.words) if reads_leftwards(longer.text) else (*left.words, *right.words)
    return Line(words, longer.page, longer.order)

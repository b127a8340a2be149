"""Lines as they are set in columns: what stretches their spaces, and what parts one column from the next."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from ragcrawler.conversion.pdf.reading.text.lines import Line, Word

# In units of the font size.
_GUTTER = 0.8  # the narrowest gap between columns
_STRETCHED = 6.0  # the widest space in a justified line
_SAME_BASELINE = 0.2
_NEXT_LINE = 1.8
_INDENT = 3.0

_WIDER = 1.5  # times the other spaces of its line
_EVEN = 1.8  # times the narrowest space of its line, at most: justification stretches all alike
_SAME_EDGE = 2.0  # points
_FEWEST_LINES = 4  # that agree on a gutter
_FEWEST_IN_COLUMN = 3  # lines of one width
_FEWEST_WORDS = 2
_MOST_PIECES = 40  # of one line; with more it is none


def as_set_in_columns(lines: Sequence[Line]) -> list[Line]:
    """The lines of a page, cut between columns and whole within them."""
    changed = _join_justified(_split_at_gutters(lines))
    if len(changed) == len(lines) and all(one is other for one, other in zip(changed, lines, strict=True)):
        return changed
    return [replace(line, order=order) for order, line in enumerate(changed)]


def _split_at_gutters(lines: Sequence[Line]) -> list[Line]:
    """Cut lines that run over the gap between two columns, where many lines of the page agree on it.

    A space at the end of a line in the left column hides the gap from whoever reads characters.
    """
    wide = {
        index: list(_wide_gaps(line)) for index, line in enumerate(lines) if len(line.words) > _FEWEST_WORDS
    }
    behind = Counter(round(lines[index].words[at].box.x0) for index, gaps in wide.items() for at in gaps)
    starts = behind + Counter(round(line.box.x0) for line in lines)
    agreed = {x for x in behind if sum(starts[x + drift] for drift in (-1, 0, 1)) >= _FEWEST_LINES}
    if not agreed:
        return list(lines)
    split: list[Line] = []
    for index, line in enumerate(lines):
        cuts = [at for at in wide.get(index, ()) if round(line.words[at].box.x0) in agreed]
        ends = pairwise([0, *cuts, len(line.words)])
        split += [line.with_words(line.words[start:end]) for start, end in ends] if cuts else [line]
    return split


def _wide_gaps(line: Line) -> Iterator[int]:
    """Indices of the words behind gaps that are wider than the line's others, with text on both sides."""
    gaps = [_gap(one, other) for one, other in pairwise(line.words)]
    if max(gaps) < _GUTTER * line.style.size or line.mono:
        return
    usual = median(gap for gap in gaps if gap > 0) * _WIDER
    last = 0
    for at, gap in enumerate(gaps, start=1):
        if gap >= max(_GUTTER * line.style.size, usual) and at - last >= _FEWEST_WORDS:
            yield at
            last = at


def _gap(one: Word, other: Word) -> float:
    return other.box.x0 - one.box.x1


def _join_justified(lines: Sequence[Line]) -> list[Line]:
    """Join the pieces of lines whose spaces were stretched so far that they look like gaps between cells.

    Such a line fills its column exactly, as other lines of the page do, and its spaces are all about as wide.
    """
    columns = _columns(lines)
    if not columns:
        return list(lines)
    joined: list[Line] = []
    waiting: list[Line] = []
    for line in lines:
        if waiting and not _goes_on(waiting[-1], line):
            joined += _join(waiting, joined, columns)
            waiting = []
        waiting.append(line)
    return [*joined, *_join(waiting, joined, columns)]


def _columns(lines: Iterable[Line]) -> dict[int, list[float]]:
    """Left edges of the columns that several whole lines fill, by the right edge to a point."""
    counts = Counter(
        (round(line.box.x0), round(line.box.x1)) for line in lines if len(line.words) > _FEWEST_WORDS
    )
    columns: dict[int, list[float]] = defaultdict(list)
    for (left, right), count in counts.items():
        if count >= _FEWEST_IN_COLUMN:
            columns[right].append(left)
    return columns


def _goes_on(last: Line, line: Line) -> bool:
    size = max(last.style.size, line.style.size)
    on_line = abs(last.baseline - line.baseline) <= _SAME_BASELINE * size
    return on_line and 0 < line.box.x0 - last.box.x1 <= _STRETCHED * size


def _join(pieces: Sequence[Line], above: Sequence[Line], columns: dict[int, list[float]]) -> Iterator[Line]:
    """The pieces of one row; from the left, as many as fill a column are one line."""
    if len(pieces) > _MOST_PIECES:
        yield from pieces
        return
    start = 0
    while start < len(pieces):
        ends = range(len(pieces), start + 1, -1)
        end = next((end for end in ends if _is_line(pieces[start:end], above, columns)), start + 1)
        words = [word for piece in pieces[start:end] for word in piece.words]
        yield pieces[start].with_words(words) if end > start + 1 else pieces[start]
        start = end


def _is_line(pieces: Sequence[Line], above: Sequence[Line], columns: dict[int, list[float]]) -> bool:
    left, right = pieces[0].box.x0, pieces[-1].box.x1
    size = pieces[0].style.size
    edges = [edge for drift in (-1, 0, 1) for edge in columns.get(round(right) + drift, ())]
    if not any(-_SAME_EDGE <= left - edge <= _INDENT * size for edge in edges):
        return False
    words = [word for piece in pieces for word in piece.words]
    gaps = [_gap(one, other) for one, other in pairwise(words) if other.spaced]
    if len(gaps) > 1:
        return max(gaps) <= _EVEN * max(min(gaps), 0.1 * size)
    last = above[-1] if above else None
    return (
        last is not None
        and 0 < pieces[0].baseline - last.baseline <= _NEXT_LINE * size
        and last.box.x1 >= right - _SAME_EDGE
    )

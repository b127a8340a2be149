"""Reading order: columns are read one after the other, everything else from top to bottom."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Protocol, TypeVar

from ragcrawler.conversion.pdf.reading.geometry import Box

_STEP = 4.0  # points between the places that are tried for a gutter
_MOST_STEPS = 400  # a page can be as wide as a house
_NARROWEST_COLUMN = 0.15  # of the width of what is divided
_FEWEST_LINES = 4  # on each side of a gutter
_FULL = 0.7  # of a column's width: running text fills its column, the cells of a table do not
_FEWEST_RULES = 2
_SHORT = 30  # characters: cells are shorter, the lines of a column longer
_NARROWEST_LINE = 15  # characters: of running text
_RUNS_ON = 0.5  # of the lines
_SENTENCE_END = ".!?:;"
_SAME_ROW = 0.4  # of the smaller height
_MAX_COLUMNS_DEPTH = 4


class PlacedPart(Protocol):
    """Something on a page."""

    @property
    def box(self) -> Box:
        """Where it stands."""

    @property
    def order(self) -> int:
        """Its place in the content stream, below 0 where it is not known."""


Item = TypeVar("Item", bound=PlacedPart)


def reading_order(items: Sequence[Item], rules: Sequence[Box] = (), depth: int = 0) -> list[list[Item]]:
    """Sort what stands on a page as a person reads it; what is read in one column is one list.

    Args:
        items: what stands on the page.
        rules: horizontal rules on it: columns are not ruled across, the rows of a table are.
        depth: how many times the page has been divided.
    """
    ordered = [item for row in rows_of(items) for item in row]
    gutter = None
    if depth < _MAX_COLUMNS_DEPTH and len(ordered) >= 2 * _FEWEST_LINES:
        gutter = _gutter(ordered, rules)
    if gutter is None:
        return [ordered] if ordered else []
    regions: list[list[Item]] = [[]]
    for is_divided, run in _runs(ordered, gutter, rules):
        if is_divided:
            left = [item for item in run if item.box.x1 <= gutter]
            right = [item for item in run if item.box.x1 > gutter]
            regions += [*reading_order(left, rules, depth + 1), *reading_order(right, rules, depth + 1), []]
        else:
            regions[-1] += run
    return [region for region in regions if region]


def rows_of(items: Iterable[Item]) -> list[list[Item]]:
    """Items from top to bottom; those at one height are one row, from left to right."""
    rows: list[list[Item]] = []
    for item in sorted(items, key=lambda item: item.box.middle[1]):
        first = rows[-1][0] if rows else None
        if first is not None and item.box.middle[1] - first.box.middle[1] < _SAME_ROW * min(
            item.box.height, first.box.height
        ):
            rows[-1].append(item)
        else:
            rows.append([item])
    return [sorted(row, key=lambda item: item.box.x0) for row in rows]


def _gutter(ordered: Sequence[Item], rules: Sequence[Box]) -> float | None:
    """The x at which most items stand in columns; None where there is none."""
    start, end = min(item.box.x0 for item in ordered), max(item.box.x1 for item in ordered)
    margin = _NARROWEST_COLUMN * (end - start)
    best, best_count = None, 0
    for x in _tried(ordered, start + margin, end - margin):
        count = sum(len(run) for is_divided, run in _runs(ordered, x, rules) if is_divided)
        if count > best_count:
            best, best_count = x, count
    return best


def _tried(ordered: Sequence[Item], first: float, last: float) -> list[float]:
    """Places for a gutter: at even steps, and right before where many lines begin: the gap may be narrow."""
    step = max(_STEP, (last - first) / _MOST_STEPS)
    even = [first + step * index for index in range(int((last - first) / step) + 1)]
    starts = Counter(round(item.box.x0) for item in ordered)
    return even + [x - 1.0 for x, count in starts.items() if count >= _FEWEST_LINES and first < x <= last]


def _runs(ordered: Sequence[Item], x: float, rules: Sequence[Box]) -> Iterator[tuple[bool, list[Item]]]:
    """Stretches between the items that cross x, each with whether it is two columns."""
    run: list[Item] = []
    for item in ordered:
        if item.box.x0 < x < item.box.x1:
            if run:
                yield _are_columns(run, x, rules), run
                run = []
            yield False, [item]
        else:
            run.append(item)
    if run:
        yield _are_columns(run, x, rules), run


def _are_columns(run: Sequence[Item], x: float, rules: Sequence[Box]) -> bool:
    left = [item for item in run if item.box.x1 <= x]
    right = [item for item in run if item.box.x1 > x]
    if len(left) < _FEWEST_LINES or len(right) < _FEWEST_LINES:
        return False
    if not _beside(left, right) or _is_ruled_across(run, x, rules):
        return False
    orders = [[item.order for item in side if item.order >= 0] for side in (left, right)]
    if all(orders) and max(orders[0]) < min(orders[1]):
        return True
    return all(_fill(side) >= _FULL and _is_running_text(side) for side in (left, right))


def _beside(left: Sequence[Item], right: Sequence[Item]) -> bool:
    """Whether the shorter of two columns has most of its height beside the other."""
    tops = [min(item.box.top for item in side) for side in (left, right)]
    bottoms = [max(item.box.bottom for item in side) for side in (left, right)]
    heights = [bottom - top for top, bottom in zip(tops, bottoms, strict=True)]
    return min(bottoms) - max(tops) >= min(heights) / 2


def _is_ruled_across(run: Sequence[Item], x: float, rules: Sequence[Box]) -> bool:
    top, bottom = min(item.box.bottom for item in run), max(item.box.top for item in run)
    return sum(rule.x0 < x < rule.x1 and top < rule.top < bottom for rule in rules) >= _FEWEST_RULES


def _fill(side: Sequence[Item]) -> float:
    """How much of the column's width its lines have, in the middle."""
    width = max(item.box.x1 for item in side) - min(item.box.x0 for item in side)
    return median(item.box.width for item in side) / width


def _is_running_text(side: Sequence[Item]) -> bool:
    texts = [getattr(item, "text", "") for item in side]
    return median(map(len, texts)) > _SHORT or runs_on(texts)


def runs_on(lines: Sequence[str]) -> bool:
    """Whether lines below each other are running text: most go on in the next one."""
    pairs = [(line, after) for line, after in pairwise(lines) if line and after]
    going = sum(line[-1] not in _SENTENCE_END and after[0].islower() for line, after in pairs)
    return median(map(len, lines)) > _NARROWEST_LINE and going >= _RUNS_ON * len(pairs)

"""Which units go together: the cheapest way to cut a run of them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise, starmap

from ragcrawler.chunking.sizing.units import SplitElement, Unit, must_part, tokens_of

_EMPTY_CHUNK = 100.0
_SMALL_CHUNK = 40.0
_EACH_CHUNK = 1.0
# Units under this share of the limit are joined first, so that a chunk is never made of very many.
_GRAIN = 1 / 48

Weigh = Callable[[int, int], int]
"""The least tokens that the characters from one offset of the document to another count as."""


def pack(units: Sequence[Unit], *, target: int, limit: int, least: int, weigh: Weigh) -> list[list[Unit]]:
    """Runs of units of at most `limit` tokens each, at the least cost.

    A chunk costs the square of what it misses of the target (100 for one of no size), a boundary what
    `Boundary` says. A unit alone is always allowed, and one over the limit on purpose with its headings.
    Linear: a chunk holds a bounded number of units.
    """
    units = _coarse(units, limit, weigh)
    size = max(tokens_of(units), weigh(units[0].start, units[-1].end))
    if size <= target and not any(starmap(must_part, pairwise(units))):
        return [units]
    best = [0.0]
    cut_at = [0]
    for behind in range(1, len(units) + 1):
        cost, begin = _cheapest(units, behind, best, target=target, limit=limit, least=least, weigh=weigh)
        best.append(cost)
        cut_at.append(begin)
    runs = []
    behind = len(units)
    while behind:
        runs.append(list(units[cut_at[behind] : behind]))
        behind = cut_at[behind]
    return runs[::-1]


def _cheapest(  # noqa: PLR0913 - the innermost loop
    units: Sequence[Unit],
    behind: int,
    best: Sequence[float],
    *,
    target: int,
    limit: int,
    least: int,
    weigh: Weigh,
) -> tuple[float, int]:
    last = units[behind - 1]
    size = last.reclose_tokens
    cheapest = (float("inf"), behind - 1)
    for begin in range(behind - 1, -1, -1):
        first = units[begin]
        size += first.tokens
        whole = size + first.reopen_tokens
        if begin < behind - 1 and not (last.oversized and first.is_heading):
            if max(size, weigh(first.start, last.end)) > limit or must_part(first, units[begin + 1]):
                break
            if whole > limit:
                continue
        cost = best[begin] + _size_cost(whole, target, least) + (first.boundary if begin else 0)
        if cost < cheapest[0]:
            cheapest = (cost, begin)
    return cheapest


def _size_cost(size: int, target: int, least: int) -> float:
    missing = (target - size) / target
    return _EACH_CHUNK + _EMPTY_CHUNK * missing * missing + (_SMALL_CHUNK if size < least else 0)


def _coarse(units: Sequence[Unit], limit: int, weigh: Weigh) -> list[Unit]:
    """Neighbours that are tiny become one, where nothing but their size parts them."""
    grain = int(limit * _GRAIN)
    joined: list[Unit] = []
    for unit in units:
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.tokens + unit.tokens <= grain
            and _alike(last, unit)
            and weigh(last.start, unit.end) <= limit
        ):
            joined[-1] = _join(last, unit)
        else:
            joined.append(unit)
    return joined


def _alike(one: Unit, other: Unit) -> bool:
    return (
        one.kind == other.kind
        and one.is_heading == other.is_heading
        and one.text is None
        and other.text is None
        and _root(one.element) == _root(other.element)
        and one.language == other.language
        and one.indents == other.indents
    )


def _root(element: SplitElement | None) -> int:
    return element.ordinal if element else 0


def _join(one: Unit, other: Unit) -> Unit:
    return replace(
        one,
        end=other.end,
        tokens=one.tokens + other.tokens,
        reclose=other.reclose,
        reclose_tokens=other.reclose_tokens,
    )

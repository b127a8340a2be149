"""The score of a link: how it ranks among all links that the research has seen."""

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence

# A link whose anchor and page are closer to the goal than half of those seen is followed.
PRUNE_BELOW = 0.5


def similarity(anchor: Sequence[float], page: Sequence[float], goal: Sequence[float]) -> float:
    """The mean of two cosines: anchor to goal, and the page that holds it to goal.

    The anchor alone finds 58 % of the pages in 25 fetches where both find 64 %, and breadth-first 24 %
    (490 pages of the CPython documentation, 77 questions, MiniLM).
    """
    return (cosine(anchor, goal) + cosine(page, goal)) / 2


def cosine(left: Sequence[float], right: Sequence[float]) -> float:
    """The cosine of two vectors, 0.0 where one of them has no length."""
    length = math.sqrt(sum(x * x for x in left) * sum(x * x for x in right))
    return sum(x * y for x, y in zip(left, right, strict=True)) / length if length else 0.0


class Percentiles:
    """Ranks similarities among all that were seen.

    The number itself says little: 4 % of the links to right pages reach a cosine of 0.5.
    """

    def __init__(self, seen: Sequence[float] = ()) -> None:
        self._seen = sorted(seen)

    def add(self, values: Iterable[float]) -> None:
        """Count some more."""
        self._seen.extend(values)
        self._seen.sort()  # quick where most is in order

    def score(self, value: float) -> float:
        """The share of all seen that are less, 0.0 to 1.0; ties count half. 1.0 where none was seen."""
        if not self._seen:
            return 1.0
        less = bisect_left(self._seen, value)
        equal = bisect_left(self._seen, math.nextafter(value, math.inf)) - less
        return (less + equal / 2) / len(self._seen)

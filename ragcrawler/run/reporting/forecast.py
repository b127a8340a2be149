"""Forecasts the remaining time of a crawl."""

from collections import deque
from dataclasses import dataclass

_SHORTEST_WINDOW_SECONDS = 20.0
_SHORTEST_SPAN_SECONDS = 5.0
_WINDOW_SHARE = 1 / 3
_LEAST_DRAIN = 0.05
_FEWEST_PAGES = 5


@dataclass(frozen=True, slots=True)
class Progress:
    """A crawl at one moment.

    Attributes:
        seconds: since its start.
        open: URLs that are known and not decided.
        fetched: pages that are done.
    """

    seconds: float
    open: int
    fetched: int


@dataclass(frozen=True, slots=True)
class Remaining:
    """The expected rest of a crawl.

    Attributes:
        pages: at the most.
        seconds: at the pace of the last third.
    """

    pages: int
    seconds: float


class Forecast:
    """Extends the last third of a crawl in a straight line.

    While links bring more URLs than are fetched, their number is not known: nothing is said until
    the number of open URLs falls, unless `most_pages` bounds the crawl.

    Args:
        most_pages: of the crawl; 0 for no bound.
    """

    def __init__(self, most_pages: int = 0) -> None:
        self._most_pages = most_pages
        self._moments: deque[Progress] = deque()

    def add(self, moment: Progress) -> None:
        """Enter where the crawl is now; moments come in order."""
        self._moments.append(moment)
        window = max(_SHORTEST_WINDOW_SECONDS, moment.seconds * _WINDOW_SHARE)
        while len(self._moments) > 1 and self._moments[1].seconds <= moment.seconds - window:
            self._moments.popleft()

    def remaining(self) -> Remaining | None:
        """The expected rest; None where it is not known yet, or where nothing is left."""
        if not self._moments:
            return None
        first, last = self._moments[0], self._moments[-1]
        span = last.seconds - first.seconds
        if span < _SHORTEST_SPAN_SECONDS or not last.open:
            return None
        if self._most_pages and self._most_pages - last.fetched < last.open:
            return self._by_bound(first, last)
        return self._by_drain(first, last) or self._by_bound(first, last)

    def _by_drain(self, first: Progress, last: Progress) -> Remaining | None:
        drained = first.open - last.open
        if drained < max(_FEWEST_PAGES, first.open * _LEAST_DRAIN):
            return None
        return Remaining(last.open, last.open * (last.seconds - first.seconds) / drained)

    def _by_bound(self, first: Progress, last: Progress) -> Remaining | None:
        fetched = last.fetched - first.fetched
        left = self._most_pages - last.fetched
        if not self._most_pages or fetched < _FEWEST_PAGES or left <= 0:
            return None
        return Remaining(left, left * (last.seconds - first.seconds) / fetched)

"""How fresh a collection is when pages are visited by their own intervals, and when all have the same.

    uv run python benchmarks/revisit.py [--pages 400] [--days 300] [--seeds 10]

A simulation with a clock of its own. Each page changes as a Poisson process does, at its own rate. Crawls
start at fixed hours. One collection asks for what is due by the product's own `RevisitSchedule`; the other
has as many requests in the same weeks, and visits all pages in turn. The first third of the days only lets
the intervals settle. Freshness is the share of the time in which a stored page is as its site has it;
staleness is for how long, on average at any moment, a stored page has been out of date.
"""

import argparse
import math
import random
import statistics
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ragcrawler.catalogue import Revisit, RevisitSchedule
from ragcrawler.catalogue.revisit import DAY_SECONDS as DAY
from ragcrawler.catalogue.revisit import HOUR_SECONDS as HOUR

EARLY_SECONDS = 300.0
# Two-sided 95 % of Student's t by degrees of freedom, from 5 on.
STUDENT = {5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 11: 2.201, 14: 2.145, 19: 2.093, 29: 2.045}

# The share of some pages, and the days between two changes of one, on average: between two bounds, evenly by
# their logarithm.
WEBS: dict[str, list[tuple[float, float, float]]] = {
    "documentation: 5 % daily, 15 % weekly, the rest in months": [
        (0.05, 0.5, 2.0),
        (0.15, 4.0, 14.0),
        (0.8, 60.0, 720.0),
    ],
    "mixed: each order of magnitude from 6 hours to 250 days": [(1.0, 0.25, 250.0)],
    "alike: all pages about weekly": [(1.0, 5.0, 10.0)],
    "busy: 30 % change many times a day": [(0.3, 0.05, 0.2), (0.7, 10.0, 100.0)],
}


@dataclass(frozen=True, slots=True)
class Measured:
    """What a way of visiting gave in the measured days.

    Attributes:
        requests: made.
        freshness: share of the time.
        stale_hours: mean age of the first change that a stored page lacks; 0 while it is fresh.
    """

    requests: int
    freshness: float
    stale_hours: float


class Page:
    """The moments at which a page changes, in seconds."""

    def __init__(self, mean_days: float, end: float, draw: random.Random) -> None:
        self.changes: list[float] = []
        at = draw.expovariate(1 / (mean_days * DAY))
        while at < end:
            self.changes.append(at)
            at += draw.expovariate(1 / (mean_days * DAY))

    def has_changed(self, since: float, until: float) -> bool:
        return bisect_right(self.changes, since) < bisect_right(self.changes, until)

    def stale_since(self, visited: float) -> float:
        """The first change after a visit."""
        place = bisect_right(self.changes, visited)
        return self.changes[place] if place < len(self.changes) else math.inf


class Collection:
    """Copies of pages; adds up how long each was fresh."""

    def __init__(self, pages: list[Page], begin: float) -> None:
        self._pages = pages
        self._begin = begin
        self._visited = [0.0] * len(pages)
        self.requests, self._fresh, self._stale = 0, 0.0, 0.0

    def visit(self, page: int, now: float) -> bool:
        """Take a page anew; whether it has changed."""
        is_changed = self._pages[page].has_changed(self._visited[page], now)
        self._add(page, now)
        self._visited[page] = now
        self.requests += now >= self._begin
        return is_changed

    def measured(self, end: float) -> Measured:
        for page in range(len(self._pages)):
            self._add(page, end)
        whole = len(self._pages) * (end - self._begin)
        return Measured(self.requests, self._fresh / whole, self._stale / whole / HOUR)

    def _add(self, page: int, until: float) -> None:
        since = max(self._visited[page], self._begin)
        if until <= since:
            return
        stale_since = self._pages[page].stale_since(self._visited[page])
        self._fresh += max(0.0, min(stale_since, until) - since)
        late, later = max(since, stale_since) - stale_since, until - stale_since
        if later > 0:
            self._stale += (later**2 - late**2) / 2  # the integral of the age


def crawl_times(hours: float, end: float) -> Iterator[float]:
    at = hours * HOUR
    while at < end:
        yield at
        at += hours * HOUR


def adaptive(pages: list[Page], times: list[float], begin: float, end: float) -> Measured:
    schedule, stored = RevisitSchedule(), Collection(pages, begin)
    revisits = [schedule.after_visit(Revisit(), 0.0, is_changed=None) for _ in pages]
    for now in times:
        for page, revisit in enumerate(revisits):
            if revisit.due_at <= now + EARLY_SECONDS:
                revisits[page] = schedule.after_visit(revisit, now, is_changed=stored.visit(page, now))
    return stored.measured(end)


def fixed(pages: list[Page], times: list[float], begin: float, end: float, requests: int) -> Measured:
    """All in turn, as many in each crawl as that gives so many requests."""
    stored, turn, due = Collection(pages, begin), 0, 0.0
    measured = [now for now in times if now >= begin]
    for now in times:
        due += requests / len(measured)
        while due >= 1 - 1e-9:
            stored.visit(turn % len(pages), now)
            turn, due = turn + 1, due - 1
    return stored.measured(end)


def draw_pages(web: list[tuple[float, float, float]], count: int, end: float, seed: int) -> list[Page]:
    draw = random.Random(seed)
    pages = []
    for _ in range(count):
        (_, least, most) = draw.choices(web, weights=[share for share, _, _ in web])[0]
        mean_days = math.exp(draw.uniform(math.log(least), math.log(most)))
        pages.append(Page(mean_days, end, draw))
    return pages


def interval(values: list[float], form: Callable[[float], str]) -> str:
    """Mean and 95 % confidence interval."""
    half = STUDENT.get(len(values) - 1, 1.96) * statistics.stdev(values) / math.sqrt(len(values))
    return f"{form(statistics.mean(values))} ± {form(half)}"


def compare(name: str, web: list[tuple[float, float, float]], options: argparse.Namespace) -> None:
    end = options.days * DAY
    begin, times = end / 3, list(crawl_times(options.hours, end))
    pairs = []
    for seed in range(options.seeds):
        pages = draw_pages(web, options.pages, end, seed)
        own = adaptive(pages, times, begin, end)
        pairs.append((own, fixed(pages, times, begin, end, own.requests)))

    def percent(value: float) -> str:
        return f"{100 * value:.1f} %"

    def hours(value: float) -> str:
        return f"{value:.1f} h"

    a_page = [own.requests / options.pages / ((end - begin) / DAY) for own, _ in pairs]
    print(f"{name}: {statistics.mean(a_page):.2f} requests a page and day")
    print(f"  freshness  own intervals {interval([own.freshness for own, _ in pairs], percent)}")
    print(f"             the same      {interval([other.freshness for _, other in pairs], percent)}")
    gain = [own.freshness - other.freshness for own, other in pairs]
    print(f"             difference    {interval(gain, percent)}")
    print(f"  staleness  own intervals {interval([own.stale_hours for own, _ in pairs], hours)}")
    print(
        f"             the same      {interval([other.stale_hours for _, other in pairs], hours)}", flush=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--days", type=float, default=300.0)
    parser.add_argument("--hours", type=float, default=24.0, help="between two crawls")
    parser.add_argument("--seeds", type=int, default=10)
    options = parser.parse_args()
    for name, web in WEBS.items():
        compare(name, web, options)


if __name__ == "__main__":
    main()

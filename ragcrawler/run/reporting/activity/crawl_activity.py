"""What one process saw of its crawl, page by page, in a size that does not grow with the crawl."""

import heapq
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, Self, get_args

from ragcrawler.run.reporting.activity.histogram import Histogram
from ragcrawler.run.reporting.activity.time_series import TimeSeries

Event = Literal["pages", "unchanged", "skipped", "failed", "chunks"]
ListName = Literal["new", "changed", "duplicates", "not_rendered", "hardly_found", "junk"]

_EVENTS: tuple[Event, ...] = get_args(Event)
_LISTS: tuple[ListName, ...] = get_args(ListName)
_SECONDS = (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 300)
_TOKENS = (16, 32, 64, 96, 128, 192, 256, 320, 384, 448, 512, 1024, 4096)
_BYTES = (1_000, 4_000, 16_000, 64_000, 256_000, 1_000_000, 4_000_000, 16_000_000)
_MOST_SLOW = 25
_MOST_LISTED = 200
_MOST_CHARACTERS = 2_000  # of a URL or a title


class SlowPage(NamedTuple):
    """A page that took long.

    Attributes:
        seconds: from the request to the end of the page.
        url: of the page.
        wait_seconds: of these, until the headers of the response came.
    """

    seconds: float
    url: str
    wait_seconds: float


@dataclass(frozen=True, slots=True)
class ListedPage:
    """A page in a list of the report.

    Attributes:
        url: of the page.
        note: its title, or what happened.
    """

    url: str
    note: str = ""


class CrawlActivity:
    """Counts by time, durations, sizes, statuses, and lists of the first pages of a kind.

    Args:
        began: in seconds since 1970; now, where it is None.

    Attributes:
        series: what became of URLs, and chunks that were stored, by time.
        seconds: that pages took, from the request to their end.
        tokens: of chunks.
        page_bytes: of pages, unpacked.
        statuses: responses by status code, those to robots.txt and listings too.
        listed: the first pages of each list.
    """

    def __init__(self, began: float | None = None) -> None:
        self.series = TimeSeries(_EVENTS, time.time() if began is None else began)
        self.seconds = Histogram(_SECONDS)
        self.tokens = Histogram(_TOKENS)
        self.page_bytes = Histogram(_BYTES)
        self.statuses: Counter[str] = Counter()
        self.listed: dict[ListName, list[ListedPage]] = {name: [] for name in _LISTS}
        self._slowest: list[SlowPage] = []  # a heap: the quickest of them is first

    @property
    def slowest(self) -> Sequence[SlowPage]:
        """The pages that took longest, the slowest first."""
        return sorted(self._slowest, reverse=True)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was seen."""
        return not (self.series.length or self.statuses)

    def count(self, event: Event) -> int:
        """How often something happened."""
        return sum(self.series.counts.get(event, ()))

    def note(self, event: Event, amount: int = 1, *, now: float | None = None) -> None:
        """Count something that happens now, or at a time in seconds since 1970."""
        self.series.add(event, time.time() if now is None else now, amount)

    def note_duration(self, url: str, seconds: float, wait_seconds: float) -> None:
        """A page came to its end."""
        self.seconds.add(seconds)
        self._keep_slow(SlowPage(round(seconds, 3), url[:_MOST_CHARACTERS], round(wait_seconds, 3)))

    def note_sizes(self, token_counts: Iterable[int]) -> None:
        """A page has chunks."""
        for count in token_counts:
            self.tokens.add(count)

    def list_page(self, name: ListName, url: str, note: str = "") -> None:
        """Put a page on a list, where that has room."""
        self._extend(name, [ListedPage(url[:_MOST_CHARACTERS], note[:_MOST_CHARACTERS])])

    def plus(self, other: "CrawlActivity") -> "CrawlActivity":
        """Both."""
        both = CrawlActivity()
        both.series = self.series.plus(other.series)
        both.seconds = self.seconds.plus(other.seconds)
        both.tokens = self.tokens.plus(other.tokens)
        both.page_bytes = self.page_bytes.plus(other.page_bytes)
        both.statuses = self.statuses + other.statuses
        for each in (self, other):
            for slow in each.slowest:
                both._keep_slow(slow)
            for name in _LISTS:
                both._extend(name, each.listed[name])
        return both

    def to_json(self) -> dict[str, Any]:
        """As JSON types, at most about a megabyte."""
        return {
            "series": self.series.to_json(),
            "seconds": self.seconds.to_json(),
            "tokens": self.tokens.to_json(),
            "page_bytes": self.page_bytes.to_json(),
            "statuses": dict(sorted(self.statuses.items())),
            "slowest": [slow._asdict() for slow in self.slowest],
            "listed": {name: [asdict(page) for page in pages] for name, pages in self.listed.items()},
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """What `to_json` gave.

        Raises:
            KeyError, TypeError, ValueError: it is something else.
        """
        made = cls()
        made.series = TimeSeries.from_json(values["series"])
        made.seconds = Histogram.from_json(values["seconds"])
        made.tokens = Histogram.from_json(values["tokens"])
        made.page_bytes = Histogram.from_json(values["page_bytes"])
        made.statuses = Counter({str(status): int(count) for status, count in values["statuses"].items()})
        for slow in values["slowest"]:
            made._keep_slow(SlowPage(**slow))
        for name in _LISTS:
            made._extend(name, [ListedPage(**page) for page in values["listed"].get(name, ())])
        return made

    def _keep_slow(self, page: SlowPage) -> None:
        heapq.heappush(self._slowest, page)
        if len(self._slowest) > _MOST_SLOW:
            heapq.heappop(self._slowest)

    def _extend(self, name: ListName, pages: Iterable[ListedPage]) -> None:
        self.listed[name] += list(pages)[: _MOST_LISTED - len(self.listed[name])]

"""When a page is asked for again: the sooner, the more often it was found changed."""

from dataclasses import dataclass
from typing import NamedTuple, Self

from ragcrawler.catalogue.record import DocumentRecord

HOUR_SECONDS = 3600.0
DAY_SECONDS = 24 * HOUR_SECONDS


class Revisit(NamedTuple):
    """When a page was visited, and when it is due.

    Attributes:
        interval_seconds: between two visits; 0.0 for a page that was never dated.
        due_at: seconds since 1970; the last visit was an interval before it.
    """

    interval_seconds: float = 0.0
    due_at: float = 0.0

    @classmethod
    def of(cls, record: DocumentRecord) -> Self:
        """That of a document."""
        return cls(record.interval_seconds, record.due_at)


class DueDate(NamedTuple):
    """A URL of a document, and when it is due.

    Attributes:
        document_id: of the document.
        url: its canonical URL, or an alias.
        due_at: seconds since 1970; 0.0 where it has to be read again in any case.
        is_alias: whether it is an alias.
    """

    document_id: str
    url: str
    due_at: float
    is_alias: bool = False


@dataclass(frozen=True, slots=True)
class RevisitSchedule:
    """Adapts the interval of a page to how often it changes, as StormCrawler's AdaptiveScheduler does.

    A page that changed is visited sooner, after `(1 - shrinkage) * interval + shrinkage * min`, one that did
    not later, after `(1 + growth) * interval`. A crawl that asks for everything may visit a page before it is
    due. Then the time since the last visit stands for the interval: an hour without a change says nothing
    about a week. Small steps keep an interval near the right one: with StormCrawler's halves it leaps about,
    and the collection is less fresh (`benchmarks/revisit.py`).

    Attributes:
        first_seconds: the interval of a page that was seen once.
        min_seconds: the shortest.
        max_seconds: the longest.
        growth: by which part an interval grows.
        shrinkage: by which part an interval goes towards the shortest, at most 1.
    """

    first_seconds: float = DAY_SECONDS
    min_seconds: float = DAY_SECONDS
    max_seconds: float = 30 * DAY_SECONDS
    growth: float = 0.1
    shrinkage: float = 0.2

    def after_visit(self, before: Revisit, now: float, *, is_changed: bool | None) -> Revisit:
        """When a page is due next.

        Args:
            before: of its last visit.
            now: seconds since 1970, when it was visited.
            is_changed: since the last visit; None where that is not known.
        """
        interval = before.interval_seconds
        if not interval:
            interval = self.first_seconds
        elif is_changed is not None:
            last_visit = before.due_at - interval
            sampled = min(interval, max(0.0, now - last_visit))
            shorter = (1 - self.shrinkage) * sampled + self.shrinkage * self.min_seconds
            interval = shorter if is_changed else max(interval, (1 + self.growth) * sampled)
        interval = min(max(interval, self.min_seconds), self.max_seconds)
        return Revisit(interval, now + interval)

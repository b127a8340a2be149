"""The records of URLs in the memory of one process."""

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count

from ragcrawler.frontier.states.records import (
    NOFOLLOW,
    PARKED,
    KeyTakenError,
    Status,
    StoredRecord,
    UrlCounts,
    UrlRecord,
)
from ragcrawler.urls.identity import is_same_page

_OPEN = 0
_FETCHED = 1
_NOFOLLOW = 2

Outcome = tuple[Status, str]


class MemoryUrls:
    """Whole records of open URLs; of decided ones an index into the outcomes."""

    def __init__(self) -> None:
        # Small integers, of which Python keeps one object each.
        self._outcome_of: dict[int, int] = {}
        self._outcomes: list[Outcome] = [("open", ""), ("fetched", ""), ("skipped", NOFOLLOW)]
        self._index: dict[Outcome, int] = {outcome: index for index, outcome in enumerate(self._outcomes)}
        self._counts: Counter[int] = Counter()
        self._open: dict[int, UrlRecord] = {}
        self._turns = count()
        self._turn_of: dict[int, int] = {}
        # By site; an entry whose turn is over is passed over when it comes up.
        self._queues: dict[str, list[tuple[int, int, int]]] = {}
        self._waiting: Counter[str] = Counter()
        self._leases: dict[int, float] = {}

    def expect(self, keys: Sequence[int]) -> None:
        """See `UrlRecords`: to look one up costs nothing here."""

    def is_new(self, key: int, url: str) -> bool:
        """See `UrlRecords`."""
        known = self._open.get(key)
        if known is not None and not is_same_page(known.url, url):
            raise KeyTakenError(url)
        return self._outcome_of.get(key, _NOFOLLOW) == _NOFOLLOW

    def add(self, record: UrlRecord) -> bool:
        """See `UrlRecords`."""
        if not self.is_new(record.key, record.url):
            return False
        if record.status != "open":
            self._set(record.key, self._index_of((record.status, record.reason)))
            return True
        self._set(record.key, _OPEN)
        self._open[record.key] = record
        self._turn_of[record.key] = next(self._turns)
        self._queue(record)
        return True

    def add_nofollow(self, record: UrlRecord) -> bool:
        """See `UrlRecords`."""
        if record.key in self._outcome_of:
            return False
        self._set(record.key, _NOFOLLOW)
        return True

    def decide(self, record: UrlRecord) -> bool:
        """See `UrlRecords`."""
        if self._outcome_of.get(record.key, _OPEN) not in (_OPEN, _FETCHED):
            return False
        self._forget(record.key)
        self._set(record.key, self._index_of((record.status, record.reason)))
        return True

    def get(self, key: int) -> UrlRecord | None:
        """See `UrlRecords`."""
        index = self._outcome_of.get(key)
        if index is None:
            return None
        status, reason = self._outcomes[index]
        return self._open.get(key) or UrlRecord(key, "", status=status, reason=reason)

    def counts(self) -> UrlCounts:
        """See `UrlRecords`."""
        by_reason: dict[Status, dict[str, int]] = {"skipped": {}, "failed": {}}
        for index, amount in self._counts.items():
            status, reason = self._outcomes[index]
            if amount and status in by_reason:
                by_reason[status][reason] = amount
        seen, counts = len(self._outcome_of), self._counts
        return UrlCounts(seen, counts[_OPEN], counts[_FETCHED], by_reason["skipped"], by_reason["failed"])

    def close(self, reason: str) -> int:
        """See `UrlRecords`."""
        remaining = list(self._open)
        for key in remaining:
            self._set(key, self._index_of(("skipped", reason)))
        for kept in (self._open, self._queues, self._waiting, self._leases, self._turn_of):
            kept.clear()
        return len(remaining)

    def lease(self, now: float, until: float, limit: int, sites: Iterable[str]) -> list[UrlRecord]:
        """See `UrlRecords`."""
        for ended in [key for key, ends in self._leases.items() if ends <= now]:
            self.release(ended)
        leased: list[UrlRecord] = []
        for site in sites:
            while len(leased) < limit and (key := self._next(site)) is not None:
                leased.append(self._lease(key, until))
        return leased

    def take(self, key: int, until: float) -> bool:
        """See `UrlRecords`."""
        if key not in self._open or key in self._leases:
            return False
        self._lease(key, until)
        return True

    def renew(self, key: int, until: float) -> bool:
        """See `UrlRecords`."""
        if key not in self._leases:
            return False
        self._leases[key] = until
        return True

    def release(self, key: int) -> None:
        """See `UrlRecords`."""
        if self._leases.pop(key, None) is not None:
            self._queue(self._open[key])

    def reclaim(self) -> int:
        """See `UrlRecords`."""
        ended = [key for key, until in self._leases.items() if until != PARKED]
        for key in ended:
            self.release(key)
        return len(ended)

    def sites(self) -> Iterator[str]:
        """See `UrlRecords`."""
        return iter(list(self._waiting))

    def queued(self) -> int:
        """See `UrlRecords`."""
        return len(self._open) - len(self._leases)

    def records(self) -> Iterator[StoredRecord]:
        """See `UrlRecords`."""
        for key in list(self._outcome_of):
            record = self.get(key)
            if record is not None:
                yield StoredRecord(record, self._leases.get(key) == PARKED)

    def restore(self, stored: StoredRecord) -> None:
        """See `UrlRecords`."""
        record = stored.record
        if record.status != "open":
            self._set(record.key, self._index_of((record.status, record.reason)))
            return
        self.add(record)
        if stored.is_parked:
            self._lease(record.key, PARKED, attempts=0)

    def _next(self, site: str) -> int | None:
        queue = self._queues.get(site, [])
        while queue:
            _, turn, key = queue[0]
            if self._turn_of.get(key) == turn and key not in self._leases:
                return key
            heapq.heappop(queue)
        self._queues.pop(site, None)
        return None

    def _queue(self, record: UrlRecord) -> None:
        entry = (-record.priority, self._turn_of[record.key], record.key)
        heapq.heappush(self._queues.setdefault(record.site, []), entry)
        self._waiting[record.site] += 1

    def _unqueue(self, record: UrlRecord) -> None:
        self._waiting[record.site] -= 1
        if not self._waiting[record.site]:
            del self._waiting[record.site]

    def _lease(self, key: int, until: float, attempts: int = 1) -> UrlRecord:
        record = self._open[key]
        self._unqueue(record)
        self._leases[key] = until
        self._open[key] = replace(record, attempts=record.attempts + attempts)
        return self._open[key]

    def _forget(self, key: int) -> None:
        record = self._open.pop(key, None)
        self._turn_of.pop(key, None)
        if record is not None and self._leases.pop(key, None) is None:
            self._unqueue(record)

    def _set(self, key: int, index: int) -> None:
        current = self._outcome_of.get(key)
        if current is not None:
            self._counts[current] -= 1
        self._counts[index] += 1
        self._outcome_of[key] = index

    def _index_of(self, outcome: Outcome) -> int:
        index = self._index.get(outcome)
        if index is None:
            index = self._index[outcome] = len(self._outcomes)
            self._outcomes.append(outcome)
        return index

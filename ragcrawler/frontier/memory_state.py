"""A frontier's state in the memory of one process."""

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from ragcrawler.frontier.state import NOFOLLOW, HostRow, Status, UrlCounts, UrlRecord

# A wildcard in the DNS gives a domain as many hosts as somebody cares to link to.
_REMEMBERED_HOSTS = 10_000
_OPEN = 0
_FETCHED = 1
_NOFOLLOW = 2

Outcome = tuple[Status, str]


class MemoryState:
    """What ends with the process. An open URL costs about 500 bytes, a decided one about 100."""

    def __init__(self) -> None:
        self.urls = MemoryUrls()
        self.hosts = MemoryHosts()
        self.notes = MemoryNotes()

    def transaction(self) -> AbstractContextManager[None]:
        """Nothing reaches a disk."""
        return nullcontext()

    def close(self) -> None:
        """Nothing is buffered."""


class MemoryUrls:
    """Whole records of open URLs; of decided ones an index into the outcomes."""

    def __init__(self) -> None:
        # Small integers, of which Python keeps one object each.
        self._outcome_of: dict[int, int] = {}
        self._outcomes: list[Outcome] = [("open", ""), ("fetched", ""), ("skipped", NOFOLLOW)]
        self._index: dict[Outcome, int] = {outcome: index for index, outcome in enumerate(self._outcomes)}
        self._counts: Counter[int] = Counter()
        self._open: dict[int, UrlRecord] = {}
        self._queues: dict[str, dict[int, dict[int, None]]] = {}
        self._leases: dict[int, float] = {}

    def add(self, record: UrlRecord) -> bool:
        """See `UrlRecords`."""
        if self._outcome_of.get(record.key, _NOFOLLOW) != _NOFOLLOW:
            return False
        self._set(record.key, _OPEN)
        self._open[record.key] = record
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
        for index, count in self._counts.items():
            status, reason = self._outcomes[index]
            if count and status in by_reason:
                by_reason[status][reason] = count
        seen, counts = len(self._outcome_of), self._counts
        return UrlCounts(seen, counts[_OPEN], counts[_FETCHED], by_reason["skipped"], by_reason["failed"])

    def close(self, reason: str) -> int:
        """See `UrlRecords`."""
        remaining = list(self._open)
        for key in remaining:
            self._set(key, self._index_of(("skipped", reason)))
        self._open.clear()
        self._queues.clear()
        self._leases.clear()
        return len(remaining)

    def lease(self, now: float, until: float, limit: int, sites: Iterable[str]) -> list[UrlRecord]:
        """See `UrlRecords`."""
        for key in [key for key, ends in self._leases.items() if ends <= now]:
            self.release(key)
        leased: list[UrlRecord] = []
        for site in sites:
            for key in self._first(site, limit - len(leased)):
                record = self._open[key]
                self._unqueue(record)
                self._leases[key] = until
                self._open[key] = replace(record, attempts=record.attempts + 1)
                leased.append(self._open[key])
        return leased

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

    def _first(self, site: str, limit: int) -> list[int]:
        queues = self._queues.get(site, {})
        keys = (key for priority in sorted(queues, reverse=True) for key in queues[priority])
        return [key for _, key in zip(range(limit), keys, strict=False)]

    def _queue(self, record: UrlRecord) -> None:
        self._queues.setdefault(record.site, {}).setdefault(record.priority, {})[record.key] = None

    def _unqueue(self, record: UrlRecord) -> None:
        queues = self._queues.get(record.site, {})
        queue = queues.get(record.priority, {})
        queue.pop(record.key, None)
        if not queue:
            queues.pop(record.priority, None)
        if not queues:
            self._queues.pop(record.site, None)

    def _forget(self, key: int) -> None:
        record = self._open.pop(key, None)
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


class MemoryHosts:
    """The rows of the hosts that were used last."""

    def __init__(self) -> None:
        self._rows: OrderedDict[str, HostRow] = OrderedDict()

    def get(self, site: str) -> HostRow:
        """See `HostRows`."""
        return self._rows.get(site) or HostRow()

    def set_delay(self, site: str, seconds: float) -> None:
        """See `HostRows`."""
        self._put(site, replace(self.get(site), delay_seconds=seconds))

    def hold(self, site: str, until: float) -> bool:
        """See `HostRows`."""
        row = self.get(site)
        if until <= row.held_until:
            return False
        self._put(site, replace(row, held_until=until))
        return True

    def give_up(self, site: str) -> None:
        """See `HostRows`."""
        self._put(site, replace(self.get(site), is_given_up=True))

    def begin_request(self, site: str, next_at: float = 0.0) -> None:
        """See `HostRows`."""
        row = self.get(site)
        self._put(site, replace(row, in_flight=row.in_flight + 1, next_at=max(next_at, row.next_at)))

    def end_request(self, site: str) -> None:
        """See `HostRows`."""
        row = self.get(site)
        self._put(site, replace(row, in_flight=max(0, row.in_flight - 1)))

    def set_failures(self, site: str, failures: int, pauses: int) -> None:
        """See `HostRows`."""
        self._put(site, replace(self.get(site), failures=failures, pauses=pauses))

    def _put(self, site: str, row: HostRow) -> None:
        self._rows[site] = row
        self._rows.move_to_end(site)
        if len(self._rows) > _REMEMBERED_HOSTS:
            self._rows.popitem(last=False)


class MemoryNotes:
    """Dictionaries by kind and key."""

    def __init__(self) -> None:
        self._counters: Counter[tuple[str, int]] = Counter()
        self._sets: dict[tuple[str, int], set[int]] = {}
        self._texts: dict[str, dict[int, str]] = {}

    def count(self, kind: str, key: int, amount: int = 1) -> int:
        """See `Notes`."""
        self._counters[kind, key] += amount
        return self._counters[kind, key]

    def counter(self, kind: str, key: int) -> int:
        """See `Notes`."""
        return self._counters.get((kind, key), 0)

    def raise_to(self, kind: str, key: int, value: int) -> None:
        """See `Notes`."""
        self._counters[kind, key] = max(value, self._counters[kind, key])

    def add_member(self, kind: str, key: int, member: int, limit: int = 0) -> bool:
        """See `Notes`."""
        members = self._sets.setdefault((kind, key), set())
        if not limit or len(members) < limit:
            members.add(member)
        return member in members

    def has_member(self, kind: str, key: int, member: int) -> bool:
        """See `Notes`."""
        return member in self._sets.get((kind, key), ())

    def size(self, kind: str, key: int) -> int:
        """See `Notes`."""
        return len(self._sets.get((kind, key), ()))

    def put(self, kind: str, key: int, text: str) -> None:
        """See `Notes`."""
        self._texts.setdefault(kind, {})[key] = text

    def get(self, kind: str, key: int) -> str | None:
        """See `Notes`."""
        return self._texts.get(kind, {}).get(key)

    def pop(self, kind: str, key: int) -> str | None:
        """See `Notes`."""
        return self._texts.get(kind, {}).pop(key, None)

    def texts(self, kind: str) -> Iterator[str]:
        """See `Notes`."""
        return iter(list(self._texts.get(kind, {}).values()))

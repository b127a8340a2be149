"""A frontier's state in the memory of one process."""

from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from ragcrawler.frontier.states.memory_urls import MemoryUrls
from ragcrawler.frontier.states.records import HostRow, NoteEntry, key64
from ragcrawler.frontier.states.side_queue import NotedSideQueue, OneProcess

# A wildcard in the DNS gives a domain as many hosts as somebody cares to link to.
_REMEMBERED_HOSTS = 10_000


class MemoryState(OneProcess):
    """A state that ends with the process. An open URL costs about 450 bytes, a decided one about 180."""

    def __init__(self) -> None:
        self.urls = MemoryUrls()
        self.hosts = MemoryHosts()
        self.notes = MemoryNotes()
        self.side_queue = NotedSideQueue(self.notes)

    def is_over(self) -> bool:
        """See `FrontierState`."""
        return not (self.urls.queued() or self.side_queue.queued())

    def transaction(self) -> AbstractContextManager[None]:
        """Nothing reaches a disk."""
        return nullcontext()

    def release_own(self) -> None:
        """Nobody else is there to take it."""

    def close(self) -> None:
        """Nothing is buffered."""


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

    def take_turn(self, site: str, delay_seconds: float) -> float:  # noqa: ARG002 - nobody else asks
        """See `HostRows`."""
        return 0.0

    def begin_turn(self, site: str, delay_seconds: float) -> float:  # noqa: ARG002 - nobody else asks
        """See `HostRows`."""
        return 0.0

    def postpone_turn(self, site: str, seconds_ago: float) -> None:
        """See `HostRows`."""

    def rows(self) -> Iterator[tuple[str, HostRow]]:
        """See `HostRows`."""
        return iter(list(self._rows.items()))

    def restore(self, site: str, row: HostRow) -> None:
        """See `HostRows`."""
        self._put(site, row)

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

    def count_named(self, kind: str, amounts: Mapping[str, int]) -> None:
        """See `Notes`."""
        for name, amount in amounts.items():
            self.put(kind, key64(name), name)
            self.count(kind, key64(name), amount)

    def named_counts(self, kind: str) -> Mapping[str, int]:
        """See `Notes`."""
        return {name: self.counter(kind, key64(name)) for name in self.texts(kind)}

    def raise_to(self, kind: str, key: int, value: int) -> None:
        """See `Notes`."""
        self._counters[kind, key] = max(value, self._counters[kind, key])

    def add_member(self, kind: str, key: int, member: int, limit: int = 0) -> bool:
        """See `Notes`."""
        members = self._sets.setdefault((kind, key), set())
        if not limit or len(members) < limit:
            members.add(member)
        return member in members

    def insert_member(self, kind: str, key: int, member: int, limit: int = 0) -> bool:
        """See `Notes`."""
        return not self.has_member(kind, key, member) and self.add_member(kind, key, member, limit)

    def has_member(self, kind: str, key: int, member: int) -> bool:
        """See `Notes`."""
        return member in self._sets.get((kind, key), ())

    def size(self, kind: str, key: int) -> int:
        """See `Notes`."""
        return len(self._sets.get((kind, key), ()))

    def discard_member(self, kind: str, key: int, member: int) -> None:
        """See `Notes`."""
        self._sets.get((kind, key), set()).discard(member)

    def put(self, kind: str, key: int, text: str) -> None:
        """See `Notes`."""
        self._texts.setdefault(kind, {})[key] = text

    def swap(self, kind: str, key: int, expected: str | None, text: str) -> bool:
        """See `Notes`."""
        is_expected = self.get(kind, key) == expected
        if is_expected:
            self.put(kind, key, text)
        return is_expected

    def get(self, kind: str, key: int) -> str | None:
        """See `Notes`."""
        return self._texts.get(kind, {}).get(key)

    def pop(self, kind: str, key: int) -> str | None:
        """See `Notes`."""
        return self._texts.get(kind, {}).pop(key, None)

    def texts(self, kind: str) -> Iterator[str]:
        """See `Notes`."""
        return iter(list(self._texts.get(kind, {}).values()))

    def entries(self) -> Iterator[NoteEntry]:
        """See `Notes`."""
        for (kind, key), value in self._counters.items():
            yield NoteEntry(kind, key, value, "counter")
        for (kind, key), members in self._sets.items():
            for member in members:
                yield NoteEntry(kind, key, member, "member")
        for kind, texts in self._texts.items():
            for key, text in texts.items():
                yield NoteEntry(kind, key, text, "text")

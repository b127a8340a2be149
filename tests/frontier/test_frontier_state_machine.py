"""Each state of a frontier against a plain model: any calls in any order, with a clock that the test sets.

To look for further examples: HYPOTHESIS_PROFILE=search.
"""

import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from ragcrawler.frontier import UrlCounts, UrlRecord
from ragcrawler.frontier.states.dump import DumpableState, dump_lines, import_lines
from ragcrawler.frontier.states.protocol import NOFOLLOW, HostRow, LeaseLostError, StoredRecord, key64
from ragcrawler.frontier.states.redis import RedisAddress, RedisState
from ragcrawler.frontier.states.sqlite import SqliteState
from tests.frontier.redis_process import RedisProcess

SITES = ("a.org", "b.org")
NAMES = st.sampled_from([f"{site}/{number}" for site in SITES for number in range(4)])
DECISIONS = st.sampled_from(
    [("fetched", ""), ("skipped", "junk"), ("skipped", "robots"), ("failed", "timed_out")]
)
KEYS = st.integers(min_value=-3, max_value=3)


@dataclass
class Known:
    """A record of the model."""

    record: UrlRecord
    turn: int
    until: float | None = None
    lease: int = 0

    def end_lease(self) -> None:
        self.until, self.lease = None, 0


@dataclass
class Model:
    """The model of a state."""

    urls: dict[int, Known] = field(default_factory=dict)
    hosts: dict[str, HostRow] = field(default_factory=dict)
    counters: dict[int, int] = field(default_factory=dict)
    members: dict[int, set[int]] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    turns: int = 0
    last_lease: int = 0

    def queued(self, site: str) -> list[Known]:
        free = [
            known
            for known in self.urls.values()
            if known.record.site == site and known.record.status == "open" and known.until is None
        ]
        return sorted(free, key=lambda known: (-known.record.priority, known.turn))


def record_of(name: str, priority: int = 0) -> UrlRecord:
    return UrlRecord(key64(name), f"https://{name}", name.partition("/")[0], priority=priority)


class _BreakError(Exception):
    """Ends a transaction in the middle."""


class StateMachine(RuleBasedStateMachine):
    """Applies each call to a state and to the model.

    Attributes:
        make: a state in a folder.
        is_lasting: whether another one, opened in the same folder, knows what it knew.
        knows_queued: whether `get` gives the whole record of one that nobody leases.
        knows_next: whether a request says when the next may follow: else its turn does.
    """

    make: Callable[[Path], DumpableState]
    is_lasting = True
    knows_queued = True
    knows_next = True
    now = 0.0

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.state = type(self).make(Path(self.folder.name))
        self.model = Model()

    def teardown(self) -> None:
        lines = list(dump_lines(self.state))
        copy = SqliteState()
        import_lines(copy, lines)
        assert sorted(dump_lines(copy)) == sorted(lines)
        copy.close()
        self.state.close()
        self.folder.cleanup()

    @rule(seconds=st.sampled_from([1.0, 10.0]))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule(names=st.lists(NAMES, max_size=3))
    def expect(self, names: list[str]) -> None:
        self.state.urls.expect([key64(name) for name in names])

    @rule(name=NAMES, priority=st.sampled_from([0, -1, 10]), refusal=st.sampled_from(["", "", "junk"]))
    def add(self, name: str, priority: int, refusal: str) -> None:
        record = replace(record_of(name, priority), status="skipped" if refusal else "open", reason=refusal)
        known = self.model.urls.get(record.key)
        is_new = known is None or known.record.reason == NOFOLLOW
        assert self.state.urls.is_new(record.key, record.url) is is_new
        assert self.state.urls.add(record) is is_new
        if is_new:
            self.model.turns += 1
            self.model.urls[record.key] = Known(record, self.model.turns)

    @rule(name=NAMES)
    def add_nofollow(self, name: str) -> None:
        record = record_of(name)
        is_new = record.key not in self.model.urls
        assert self.state.urls.add_nofollow(record) is is_new
        if is_new:
            skipped = replace(record, status="skipped", reason=NOFOLLOW)
            self.model.urls[record.key] = Known(skipped, 0)

    @rule(name=NAMES, decision=DECISIONS, names_lease=st.booleans(), is_stale=st.booleans())
    def decide(self, name: str, decision: tuple[str, str], names_lease: bool, is_stale: bool) -> None:
        status, reason = decision
        record = replace(record_of(name), status=status, reason=reason)
        known = self.model.urls.setdefault(record.key, Known(replace(record, status="open"), 0))
        lease = known.lease if names_lease else 0
        if is_stale:
            with pytest.raises(LeaseLostError):
                self.state.urls.decide(replace(record, lease=known.lease + 1))
        changes = known.record.status in ("open", "fetched") and lease == known.lease
        assert self.state.urls.decide(replace(record, lease=lease)) is changes
        if changes:
            known.record = replace(known.record, status=status, reason=reason)
            known.end_lease()
        elif known.turn == 0 and known.record.status == "open":
            del self.model.urls[record.key]

    @rule(limit=st.integers(1, 3), sites=st.permutations(SITES))
    def lease(self, limit: int, sites: list[str]) -> None:
        for known in self.model.urls.values():
            if known.until is not None and known.until <= self.now:
                known.end_lease()
        due = [known for site in sites for known in self.model.queued(site)][:limit]
        leased = self.state.urls.lease(self.now, self.now + 5.0, limit, sites)
        for known, found in zip(due, leased, strict=True):
            self._begin_lease(known, found.lease, self.now + 5.0)
        assert leased == [known.record for known in due]

    @rule(name=NAMES)
    def take(self, name: str) -> None:
        known = self.model.urls.get(key64(name))
        is_free = known is not None and known.record.status == "open" and known.until is None
        lease = self.state.urls.take(key64(name), self.now + 5.0)
        assert (lease > 0) is is_free
        if known is not None and is_free:
            self._begin_lease(known, lease, self.now + 5.0)

    @rule(name=NAMES, is_stale=st.booleans())
    def renew(self, name: str, is_stale: bool) -> None:
        known = self.model.urls.get(key64(name), Known(record_of(name), 0))
        is_leased = known.lease > 0 and not is_stale and known.until != inf
        lease = known.lease + is_stale or 1
        if known.until != inf:
            assert self.state.urls.renew(key64(name), self.now + 5.0, lease) is is_leased
        if is_leased:
            known.until = self.now + 5.0

    @rule(name=NAMES, names_lease=st.booleans())
    def park(self, name: str, names_lease: bool) -> None:
        known = self.model.urls.get(key64(name), Known(record_of(name), 0))
        lease = known.lease if names_lease else 0
        is_known = key64(name) in self.model.urls
        is_parked = is_known and known.record.status == "open" and lease == known.lease
        assert self.state.urls.park(key64(name), lease) is is_parked
        if is_parked:
            known.until, known.lease = inf, 0

    @rule(name=NAMES)
    def unpark(self, name: str) -> None:
        known = self.model.urls.get(key64(name))
        is_parked = known is not None and known.until == inf and known.lease == 0
        lease = self.state.urls.unpark(key64(name))
        assert (lease > 0) is is_parked
        if known is not None and is_parked:
            self._begin_lease(known, lease, inf)

    @rule(name=NAMES, is_stale=st.booleans())
    def release(self, name: str, is_stale: bool) -> None:
        known = self.model.urls.get(key64(name))
        lease = known.lease if known else 1
        self.state.urls.release(key64(name), lease + is_stale)
        if known and known.until is not None and not is_stale:
            known.end_lease()

    @rule()
    def take_over_from_the_dead(self) -> None:
        ended = [known for known in self.model.urls.values() if known.until not in (None, inf)]
        for known in ended:
            known.end_lease()
        for known in self.model.urls.values():
            known.lease = 0
        assert self.state.urls.reclaim() == len(ended)

    @rule(site=st.sampled_from(SITES), until=st.sampled_from([5.0, 50.0]))
    def hold(self, site: str, until: float) -> None:
        row = self.model.hosts.get(site, HostRow())
        is_longer = until > row.held_until
        assert self.state.hosts.hold(site, until) is is_longer
        if is_longer:
            self.model.hosts[site] = replace(row, held_until=until)

    @rule(site=st.sampled_from(SITES), next_at=st.sampled_from([0.0, 3.0, 7.0]))
    def ask(self, site: str, next_at: float) -> None:
        row = self.model.hosts.get(site, HostRow())
        self.state.hosts.begin_request(site, next_at)
        following = max(next_at, row.next_at)
        self.model.hosts[site] = replace(row, in_flight=row.in_flight + 1, next_at=following)

    @rule(site=st.sampled_from(SITES))
    def answer(self, site: str) -> None:
        row = self.model.hosts.get(site, HostRow())
        self.state.hosts.end_request(site)
        self.model.hosts[site] = replace(row, in_flight=max(0, row.in_flight - 1))

    @rule(key=KEYS, amount=st.integers(-2, 5))
    def count(self, key: int, amount: int) -> None:
        self.model.counters[key] = self.model.counters.get(key, 0) + amount
        assert self.state.notes.count("counter", key, amount) == self.model.counters[key]

    @rule(key=KEYS, member=KEYS, limit=st.sampled_from([0, 2]))
    def add_member(self, key: int, member: int, limit: int) -> None:
        members = self.model.members.setdefault(key, set())
        if not limit or len(members) < limit:
            members.add(member)
        assert self.state.notes.add_member("set", key, member, limit) is (member in members)

    @rule(key=KEYS, member=KEYS, limit=st.sampled_from([0, 2]))
    def insert_member(self, key: int, member: int, limit: int) -> None:
        members = self.model.members.setdefault(key, set())
        is_new = member not in members and (not limit or len(members) < limit)
        if is_new:
            members.add(member)
        assert self.state.notes.insert_member("set", key, member, limit) is is_new

    @rule(key=KEYS, member=KEYS)
    def discard_member(self, key: int, member: int) -> None:
        self.model.members.get(key, set()).discard(member)
        self.state.notes.discard_member("set", key, member)

    @rule(key=KEYS, text=st.sampled_from(["a", "\u00e4\n"]))
    def put(self, key: int, text: str) -> None:
        self.model.texts[key] = text
        self.state.notes.put("text", key, text)

    @rule(key=KEYS)
    def pop(self, key: int) -> None:
        assert self.state.notes.pop("text", key) == self.model.texts.pop(key, None)

    @rule(breaks=st.booleans(), name=NAMES, priority=st.sampled_from([0, -1, 10]))
    def add_within_a_transaction(self, breaks: bool, name: str, priority: int) -> None:
        if not self.is_lasting:
            breaks = False
        with suppress(_BreakError), self.state.transaction():
            if breaks:
                self.state.urls.add(record_of(name, priority))
                self.state.urls.decide(replace(record_of(name), status="skipped", reason="taken back"))
                self.state.urls.lease(self.now, self.now + 5.0, 1, SITES)
                self.state.urls.park(key64(name))
                raise _BreakError
            self.add(name, priority, "")

    @rule()
    def open_again(self) -> None:
        if self.is_lasting:
            self.state.close()
            self.state = type(self).make(Path(self.folder.name))

    @invariant()
    def the_records_are_those_of_the_model(self) -> None:
        for key, known in self.model.urls.items():
            found = self.state.urls.get(key)
            assert found is not None
            assert (found.status, found.reason) == (known.record.status, known.record.reason)
            assert found.lease == known.lease
            if known.record.status == "open" and self.knows_queued:
                assert found == known.record
        assert self.state.urls.counts() == self._counts()
        free = [known.record.site for site in SITES for known in self.model.queued(site)]
        assert (self.state.urls.queued(), set(self.state.urls.sites())) == (len(free), set(free))

    @invariant()
    def hosts_and_notes_are_those_of_the_model(self) -> None:
        for site in SITES:
            assert self._row(site) == self.model.hosts.get(site, HostRow())
        notes = self.state.notes
        for key in range(-3, 4):
            assert notes.counter("counter", key) == self.model.counters.get(key, 0)
            assert notes.size("set", key) == len(self.model.members.get(key, ()))
            assert notes.get("text", key) == self.model.texts.get(key)
        assert sorted(notes.texts("text")) == sorted(self.model.texts.values())

    def _row(self, site: str) -> HostRow:
        row, known = self.state.hosts.get(site), self.model.hosts.get(site, HostRow())
        return row if self.knows_next else replace(row, next_at=known.next_at)

    def _begin_lease(self, known: Known, lease: int, until: float) -> None:
        assert lease > self.model.last_lease
        self.model.last_lease = lease
        known.record = replace(known.record, attempts=known.record.attempts + 1)
        known.until, known.lease = until, lease

    def _counts(self) -> UrlCounts:
        records = [known.record for known in self.model.urls.values()]
        by_reason: dict[str, dict[str, int]] = {"skipped": {}, "failed": {}}
        for each in records:
            if each.status in by_reason:
                by_reason[each.status][each.reason] = by_reason[each.status].get(each.reason, 0) + 1
        statuses = [each.status for each in records]
        numbers = (len(records), statuses.count("open"), statuses.count("fetched"))
        return UrlCounts(*numbers, by_reason["skipped"], by_reason["failed"])


class SqliteMachine(StateMachine):
    make = staticmethod(lambda folder: SqliteState(folder / "state.sqlite"))


class IndexedSqliteMachine(StateMachine):
    """Its rows are recent only for a few calls."""

    make = staticmethod(lambda folder: SqliteState(folder / "state.sqlite", recent=3))


class RedisMachine(StateMachine):
    url = ""
    is_lasting = False
    knows_queued = False
    knows_next = False
    make = staticmethod(lambda _: RedisState(RedisAddress(RedisMachine.url, uuid4().hex)))


TestSqliteState = SqliteMachine.TestCase
TestIndexedSqliteState = IndexedSqliteMachine.TestCase
for case in (TestSqliteState, TestIndexedSqliteState):
    case.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)


def test_redis_against_the_model(redis_server: RedisProcess) -> None:
    """The rules and invariants of the machine assert, after each of its steps."""
    RedisMachine.url = redis_server.url
    steps = settings(max_examples=10, stateful_step_count=30, deadline=None)
    run_state_machine_as_test(RedisMachine, settings=steps)


def test_a_stored_record_is_dumped_in_the_order_in_which_it_came() -> None:
    state = SqliteState()
    for name in ("a.org/1", "b.org/2", "a.org/3"):
        state.urls.add(record_of(name))
    assert list(state.urls.records()) == [
        StoredRecord(record_of(name)) for name in ("a.org/1", "b.org/2", "a.org/3")
    ]
    state.close()

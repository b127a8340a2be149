"""The contract of a frontier's state, for each of its kinds."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragcrawler.frontier import FrontierState, Target, UrlCounts, UrlRecord
from ragcrawler.frontier.ledger import UrlLedger
from ragcrawler.frontier.states.dump import dump_lines, import_lines
from ragcrawler.frontier.states.protocol import CRASHES, HostRow, KeyTakenError, LeaseLostError, Status, key64
from ragcrawler.frontier.states.redis import RedisAddress, RedisState
from ragcrawler.frontier.states.sqlite import SqliteState

Make = Callable[[], FrontierState]


@pytest.fixture(params=["sqlite", "redis"])
def make(request: pytest.FixtureRequest) -> Make:
    """Makes empty states of one kind."""
    if request.param == "sqlite":
        return SqliteState
    url = request.getfixturevalue("redis_server").url
    return lambda: RedisState(RedisAddress(url, uuid4().hex))


@pytest.fixture
def state(make: Make) -> Iterator[FrontierState]:
    made = make()
    yield made
    made.close()


def record(name: str, site: str = "a.org", **changes: object) -> UrlRecord:
    made = UrlRecord(key64(name), f"https://{site}/{name}", site)
    return replace(made, **changes)  # type: ignore[arg-type]  # fields of the record


def names(records: list[UrlRecord]) -> list[str]:
    return [each.url.rpartition("/")[2] for each in records]


def test_a_key_is_the_same_in_every_process_and_fits_into_64_bits() -> None:
    assert key64("https://a.org/") == 1449485367727692675
    assert all(-(2**63) <= key64(str(number)) < 2**63 for number in range(1000))


def test_a_record_is_added_once(state: FrontierState) -> None:
    assert [state.urls.add(record("x")) for _ in range(2)] == [True, False]
    known = state.urls.get(key64("x"))
    assert known is not None
    assert (known.key, known.status, known.reason) == (key64("x"), "open", "")
    assert state.urls.get(key64("y")) is None


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"url": "http://a.org/x", "depth": 3, "parent_url": "https://b.org/ü"},
        {"url": "https://a.org:8443/x", "priority": 10, "is_named": True, "attempts": 2},
        {"url": "https://a.org", "priority": -1, "parent_url": "seeds.txt"},
    ],
)
def test_a_leased_record_is_whole(state: FrontierState, changes: dict[str, object]) -> None:
    added = record("x", **changes)
    state.urls.add(added)
    leased = replace(added, attempts=added.attempts + 1)
    assert state.urls.lease(0.0, 60.0, 1, ["a.org"]) == [leased]
    assert state.urls.get(added.key) == leased


def test_each_record_keeps_its_own_parent(state: FrontierState) -> None:
    for name, parent in (("a", "p"), ("b", "p"), ("c", "q"), ("d", "p")):
        state.urls.add(record(name, parent_url=parent))
    (first,) = state.urls.lease(0.0, 60.0, 1, ["a.org"])
    state.urls.decide(record("b", status="skipped", reason="junk"))
    state.urls.release(first.key, first.lease)
    state.urls.add(record("e", parent_url="q"))
    found = state.urls.lease(0.0, 60.0, 9, ["a.org"])
    parents = {url.rpartition("/")[2]: parent for url, parent in ((r.url, r.parent_url) for r in found)}
    assert parents == {"a": "p", "c": "q", "d": "p", "e": "q"}


def test_a_nofollow_record_is_reopened_by_another_link(state: FrontierState) -> None:
    assert state.urls.add_nofollow(record("x"))
    assert state.urls.counts() == UrlCounts(1, 0, 0, {"nofollow": 1})
    assert state.urls.add(record("x"))
    assert state.urls.counts() == UrlCounts(1, 1, 0)
    assert not state.urls.add_nofollow(record("x"))


@pytest.mark.parametrize(
    ("first", "second", "is_changed"),
    [
        (("fetched", ""), ("skipped", "duplicate"), True),
        (("fetched", ""), ("failed", "broken"), True),
        (("skipped", "junk"), ("fetched", ""), False),
        (("failed", "timed_out"), ("fetched", ""), False),
        (("failed", "timed_out"), ("skipped", "shutdown"), False),
    ],
)
def test_what_was_skipped_or_failed_stays_so(
    state: FrontierState, first: tuple[str, str], second: tuple[str, str], is_changed: bool
) -> None:
    state.urls.add(record("x"))
    assert state.urls.decide(record("x", status=first[0], reason=first[1]))
    assert state.urls.decide(record("x", status=second[0], reason=second[1])) is is_changed
    known = state.urls.get(key64("x"))
    assert known is not None
    assert (known.status, known.reason) == (second if is_changed else first)


def test_a_record_may_be_entered_decided(state: FrontierState) -> None:
    assert state.urls.decide(record("x", status="failed", reason="offsite"))
    assert state.urls.counts() == UrlCounts(1, 0, 0, {}, {"offsite": 1})


def test_a_record_that_is_added_decided_is_never_leased(state: FrontierState) -> None:
    junk = record("x", status="skipped", reason="junk")
    state.urls.add_nofollow(record("y"))
    added = [state.urls.add(each) for each in (junk, junk, record("y", status="skipped", reason="junk"))]
    assert (added, state.urls.is_new(junk.key, junk.url)) == ([True, False, True], False)
    assert state.urls.counts() == UrlCounts(2, 0, 0, {"junk": 2})
    assert (state.urls.queued(), state.urls.lease(0.0, 60.0, 9, ["a.org"])) == (0, [])
    assert not state.urls.add(record("x"))


@pytest.mark.parametrize("is_decided", [False, True])
@pytest.mark.parametrize("is_expected", [False, True])
def test_two_pages_whose_keys_have_one_hash_are_told_apart(
    state: FrontierState, is_decided: bool, is_expected: bool
) -> None:
    one = UrlRecord(7, "https://a.org/one", "a.org")
    two = replace(one, url="https://a.org/two")
    assert state.urls.add(one)
    if is_decided:
        state.urls.decide(replace(one, status="fetched"))
    for _ in range(2):
        if is_expected:
            state.urls.expect([7])
        assert not state.urls.is_new(7, "https://www.a.org/one")
        with pytest.raises(KeyTakenError):
            state.urls.is_new(7, two.url)
    with pytest.raises(KeyTakenError):
        state.urls.add(two)
    assert not state.urls.add(replace(one, url="https://www.a.org/one"))
    assert state.urls.counts().seen == 1


def test_two_pages_with_one_hash_are_both_asked_for_and_decided(state: FrontierState) -> None:
    apart: set[str] = set()
    ledger = UrlLedger(state.urls, lambda url: key64(f"={url}") if url in apart else 7, apart.add)
    urls = ["https://a.org/one", "https://a.org/two"]
    for url in urls:
        assert ledger.is_new(Target(url))
        assert ledger.add(Target(url))
    assert [ledger.is_new(Target(url)) for url in urls] == [False, False]
    leased = sorted(state.urls.lease(0.0, 60.0, 9, ["a.org"]), key=lambda each: each.url)
    assert [each.url for each in leased] == urls
    ledger.keep(urls[0], leased[0].lease)
    ledger.skip(urls[1], "noindex", leased[1].lease)
    assert ledger.counts() == UrlCounts(2, 0, 1, {"noindex": 1})


def test_a_decided_record_of_a_dump_without_its_url_is_that_of_any(make: Make) -> None:
    """A dump of a crawl in Redis has no URL of a decided record."""
    state, copy = make(), make()
    state.urls.add(record("x", status="skipped", reason="junk"))
    import_lines(copy, [_without_url(line) for line in dump_lines(state)])  # type: ignore[arg-type]
    assert not copy.urls.is_new(key64("x"), record("x").url)
    assert not copy.urls.add(record("x"))
    for each in (state, copy):
        each.close()


def _without_url(line: str) -> str:
    return line.replace("https://a.org/x", "")


def test_closing_skips_what_is_open(state: FrontierState) -> None:
    for name in "abc":
        state.urls.add(record(name))
    state.urls.decide(record("a", status="fetched"))
    assert state.urls.close("finished") == 2
    assert state.urls.counts() == UrlCounts(3, 0, 1, {"finished": 2})


def test_records_are_leased_by_site_then_priority_then_age(state: FrontierState) -> None:
    for name in ("p1", "p2"):
        state.urls.add(record(name))
    state.urls.add(record("listing", priority=10))
    state.urls.add(record("q", "b.org"))
    assert names(state.urls.lease(0.0, 60.0, 3, ["b.org", "a.org"])) == ["q", "listing", "p1"]
    assert names(state.urls.lease(0.0, 60.0, 9, ["a.org", "c.org"])) == ["p2"]
    assert state.urls.lease(0.0, 60.0, 9, ["a.org"]) == []


def test_a_lease_that_ran_out_goes_to_another_and_counts_an_attempt(state: FrontierState) -> None:
    state.urls.add(record("x"))
    state.urls.lease(0.0, 60.0, 1, ["a.org"])
    assert state.urls.lease(59.0, 99.0, 1, ["a.org"]) == []
    (again,) = state.urls.lease(60.0, 99.0, 1, ["a.org"])
    assert again.attempts == 2


def test_a_lease_that_is_renewed_does_not_run_out(state: FrontierState) -> None:
    state.urls.add(record("x"))
    (leased,) = state.urls.lease(0.0, 60.0, 1, ["a.org"])
    assert state.urls.renew(key64("x"), 120.0, leased.lease)
    assert state.urls.lease(60.0, 180.0, 1, ["a.org"]) == []
    assert not state.urls.renew(key64("y"), 120.0, leased.lease)


def test_a_lease_ends_by_a_decision_or_a_release(state: FrontierState) -> None:
    for name in "xy":
        state.urls.add(record(name))
    x, y = state.urls.lease(0.0, 60.0, 2, ["a.org"])
    state.urls.decide(replace(x, status="fetched"))
    state.urls.release(y.key, y.lease)
    state.urls.release(x.key, x.lease)
    assert not state.urls.renew(x.key, 99.0, x.lease)
    assert names(state.urls.lease(1.0, 60.0, 9, ["a.org"])) == ["y"]


def test_each_lease_has_a_higher_number_than_all_before_it(state: FrontierState) -> None:
    for name in "xyz":
        state.urls.add(record(name))
    x, y = state.urls.lease(0.0, 60.0, 2, ["a.org"])
    z = state.urls.take(key64("z"), 60.0)
    again = state.urls.lease(60.0, 99.0, 1, ["a.org"])[0]
    assert 0 < x.lease < y.lease < z < again.lease


@pytest.mark.parametrize("status", ["fetched", "skipped", "failed"])
def test_a_lease_that_is_anothers_by_now_decides_nothing(state: FrontierState, status: Status) -> None:
    state.urls.add(record("x"))
    (stale,) = state.urls.lease(0.0, 1.0, 1, ["a.org"])
    (later,) = state.urls.lease(2.0, 60.0, 1, ["a.org"])
    assert not state.urls.renew(stale.key, 99.0, stale.lease)
    state.urls.release(stale.key, stale.lease)
    with pytest.raises(LeaseLostError):
        state.urls.decide(replace(stale, status=status, reason="why"))
    assert not state.urls.decide(record("x", status=status, reason="why"))  # who names no lease has none
    assert state.urls.counts() == UrlCounts(1, 1, 0)
    assert state.urls.renew(later.key, 99.0, later.lease)
    assert state.urls.decide(replace(later, status="fetched"))
    with pytest.raises(LeaseLostError):
        state.urls.decide(replace(stale, status=status, reason="why"))
    assert state.urls.counts() == UrlCounts(1, 0, 1)


def test_a_lease_that_ran_out_decides_nothing_though_nobody_has_the_url(state: FrontierState) -> None:
    state.urls.add(record("x"))
    (stale,) = state.urls.lease(0.0, 1.0, 1, ["a.org"])
    assert state.urls.lease(2.0, 60.0, 1, ["b.org"]) == []
    assert state.urls.queued() == 1
    with pytest.raises(LeaseLostError):
        state.urls.decide(replace(stale, status="fetched"))


def test_a_transaction_of_a_lease_that_was_lost_writes_nothing(state: FrontierState) -> None:
    state.urls.add(record("x"))
    (stale,) = state.urls.lease(0.0, 1.0, 1, ["a.org"])
    (later,) = state.urls.lease(2.0, 60.0, 1, ["a.org"])

    def write() -> None:
        with state.transaction(stale.key, stale.lease):
            state.notes.count_named("totals", {"pages": 1})
            state.urls.add(record("link"))

    with pytest.raises(LeaseLostError):
        write()
    assert (state.urls.counts().seen, state.notes.named_counts("totals")) == (1, {})
    with state.transaction(later.key, later.lease):
        state.notes.count_named("totals", {"pages": 1})
        state.urls.decide(replace(later, status="fetched"))
        state.urls.add(record("link"))  # by who has just decided
    assert (state.urls.counts(), state.notes.named_counts("totals")) == (UrlCounts(2, 1, 1), {"pages": 1})


def test_about_what_is_parked_another_url_decides(state: FrontierState) -> None:
    for name in "xy":
        state.urls.add(record(name))
    (leased,) = state.urls.lease(0.0, 60.0, 1, ["a.org"])
    assert [state.urls.park(key64(name)) for name in "xy"] == [False, True]
    assert state.urls.park(leased.key, leased.lease)
    assert not state.urls.renew(leased.key, 99.0, leased.lease)
    with pytest.raises(LeaseLostError):
        state.urls.decide(replace(leased, status="fetched"))
    assert state.urls.lease(1e9, 2e9, 9, ["a.org"]) == []
    assert [state.urls.decide(record(name, status="skipped", reason="why")) for name in "xy"] == [True, True]
    assert not state.urls.park(key64("x"))


def test_a_parked_record_whose_target_is_asked_for_has_a_lease(state: FrontierState) -> None:
    state.urls.add(record("x"))
    assert state.urls.unpark(key64("x")) == 0
    state.urls.park(key64("x"))
    lease = state.urls.unpark(key64("x"))
    assert lease > 0
    assert state.urls.unpark(key64("x")) == 0
    assert not state.urls.decide(record("x", status="fetched"))
    assert (state.urls.reclaim(), state.urls.queued()) == (0, 0)  # it stays parked
    known = state.urls.get(key64("x"))
    assert known is not None
    assert known.attempts == 1


def test_a_host_has_one_row(state: FrontierState) -> None:
    hosts = state.hosts
    hosts.set_delay("a.org", 2.5)
    assert [hosts.hold("a.org", 10.0), hosts.hold("a.org", 5.0)] == [True, False]
    hosts.begin_request("a.org", next_at=3.0)
    hosts.begin_request("a.org", next_at=2.0)
    hosts.end_request("a.org")
    hosts.set_failures("a.org", 4, 1)
    hosts.give_up("a.org")
    row = hosts.get("a.org")
    next_at = 3.0 if isinstance(state, SqliteState) else 0.0  # a turn that is taken says it there
    assert (row.delay_seconds, row.held_until, row.next_at, row.in_flight) == (2.5, 10.0, next_at, 1)
    assert (row.failures, row.pauses, row.is_given_up) == (4, 1, True)
    assert hosts.get("b.org").in_flight == 0


def test_the_first_turn_of_a_host_comes_at_once(state: FrontierState) -> None:
    assert state.hosts.take_turn("a.org", 100.0) == 0.0
    assert state.hosts.begin_turn("a.org", 100.0, 100.0) == 0.0


def test_a_set_takes_no_more_members_than_its_limit(state: FrontierState) -> None:
    notes = state.notes
    assert [notes.add_member("date", 1, member, 2) for member in (7, 8, 9, 7)] == [True, True, False, True]
    assert (notes.size("date", 1), notes.size("date", 2)) == (2, 0)
    assert notes.has_member("date", 1, 8)
    assert not notes.has_member("facet", 1, 8)


def test_a_member_is_inserted_once(state: FrontierState) -> None:
    notes = state.notes
    inserted = [notes.insert_member("accepted", 0, member, 2) for member in (7, 7, 8, 9, 8)]
    assert inserted == [True, False, True, False, False]
    assert [notes.has_member("accepted", 0, member) for member in (7, 8, 9)] == [True, True, False]


def test_counters_and_texts_are_kept_by_kind_and_key(state: FrontierState) -> None:
    notes = state.notes
    assert [notes.count("files", 1), notes.count("files", 1, 4), notes.counter("files", 2)] == [1, 5, 0]
    notes.raise_to("files", 1, 3)
    notes.raise_to("files", 2, 3)
    assert (notes.counter("files", 1), notes.counter("files", 2)) == (5, 3)
    notes.put("text", 1, "a")
    notes.put("text", 1, "b")
    assert (notes.get("text", 1), list(notes.texts("text"))) == ("b", ["b"])
    assert (notes.pop("text", 1), notes.pop("text", 1), notes.get("text", 1)) == ("b", None, None)


def test_a_text_is_put_in_place_of_the_expected_one_alone(state: FrontierState) -> None:
    notes = state.notes
    assert not notes.swap("text", 1, "a", "b")
    assert notes.swap("text", 1, None, "a")
    assert not notes.swap("text", 1, None, "b")
    assert notes.swap("text", 1, "a", "")
    assert not notes.swap("text", 1, None, "c")
    with state.transaction():
        notes.put("text", 2, "é")
        assert notes.swap("text", 2, "é", "f")
    assert (notes.get("text", 1), notes.get("text", 2)) == ("", "f")


def test_counters_with_names_are_added_up(state: FrontierState) -> None:
    notes = state.notes
    assert dict(notes.named_counts("totals")) == {}
    with state.transaction():
        notes.count_named("totals", {"pages": 2, "chunk/chunks": 5})
        assert notes.named_counts("totals")["pages"] == 2
        notes.count_named("totals", {"pages": 1})
    assert dict(notes.named_counts("totals")) == {"pages": 3, "chunk/chunks": 5}
    assert dict(notes.named_counts("others")) == {}


def test_texts_of_the_side_queue_are_leased_once_and_kept_until_they_end(state: FrontierState) -> None:
    queue, notes = state.side_queue, state.notes
    for key, text in ((1, "a"), (2, "b"), (1, "c")):
        queue.put(key, "a.org", text)
    assert (queue.queued(), list(queue.sites()), state.is_over()) == (2, ["a.org"], False)
    leased = [queue.lease(site, 2e9) for site in ("b.org", "a.org", "a.org", "a.org")]
    assert (leased, queue.queued(), list(queue.sites())) == ([None, "c", "b", None], 0, [])
    assert sorted(notes.texts("asked_target")) == ["b", "c"]
    queue.end(1)
    queue.end(2)
    assert (list(notes.texts("asked_target")), state.is_over()) == ([], True)
    notes.put("asked_target", 3, "from a dump")
    queue.restore(3, "a.org", "from a dump")
    queue.restore(3, "a.org", "from a dump")
    assert (list(queue.sites()), queue.lease("a.org", 2e9), queue.queued()) == (["a.org"], "from a dump", 0)


def test_a_record_that_was_released_keeps_its_place_in_the_queue(state: FrontierState) -> None:
    for name in "xyz":
        state.urls.add(record(name))
    for each in reversed(state.urls.lease(0.0, 60.0, 2, ["a.org"])):
        state.urls.release(each.key, each.lease)
    assert names(state.urls.lease(1.0, 60.0, 9, ["a.org"])) == ["x", "y", "z"]


def test_a_record_whose_answer_came_by_itself_is_taken_by_name(state: FrontierState) -> None:
    state.urls.add(record("x"))
    assert [state.urls.take(key64(name), 60.0) > 0 for name in "xxy"] == [True, False, False]
    assert state.urls.queued() == 0
    assert state.urls.lease(0.0, 60.0, 9, ["a.org"]) == []
    taken = state.urls.get(key64("x"))
    assert taken is not None
    assert taken.attempts == 1


def test_what_died_with_its_process_is_reclaimed_and_what_is_parked_is_not(state: FrontierState) -> None:
    for name in "xy":
        state.urls.add(record(name))
    _, y = state.urls.lease(0.0, 1e9, 2, ["a.org"])
    state.urls.park(y.key, y.lease)
    assert (state.urls.reclaim(), state.urls.queued()) == (1, 1)
    assert names(state.urls.lease(1.0, 60.0, 9, ["a.org"])) == ["x"]


def test_what_a_process_gives_back_counts_as_no_crash_of_it(make: Make) -> None:
    state = make()
    assert isinstance(state, SqliteState | RedisState)
    for name in "xyz":
        state.urls.add(record(name))
    _, y = state.urls.lease(0.0, 1e9, 2, ["a.org"])
    state.urls.park(y.key, y.lease)
    state.reclaim()
    state.reclaim()
    state.urls.lease(0.0, 1e9, 9, ["a.org"])
    state.release_own()
    state.reclaim()
    assert [state.notes.counter(CRASHES, key64(name)) for name in "xyz"] == [1, 0, 0]
    assert names(state.urls.lease(1.0, 1e9, 9, ["a.org"])) == ["x", "z"]
    state.close()


def test_the_hosts_with_work_are_known(state: FrontierState) -> None:
    for site in ("b.org", "a.org", "c.org"):
        state.urls.add(record(f"of {site}", site))
    state.urls.decide(record("of c.org", "c.org", status="skipped", reason="junk"))
    assert {"a.org", "b.org"} <= set(state.urls.sites()) <= {"a.org", "b.org", "c.org"}


def test_a_member_can_be_taken_out_of_a_full_set(state: FrontierState) -> None:
    notes = state.notes
    notes.add_member("accepted", 0, 7, 1)
    notes.discard_member("accepted", 0, 8)
    assert (notes.size("accepted", 0), notes.add_member("accepted", 0, 8, 1)) == (1, False)
    notes.discard_member("accepted", 0, 7)
    assert (notes.size("accepted", 0), notes.add_member("accepted", 0, 8, 1)) == (0, True)


def test_where_a_url_was_found_is_known_after_its_lease(state: FrontierState) -> None:
    parents = ("", "https://a.org/top", "https://a.org/TOP/", "a search engine")
    state.urls.add(record("top"))
    for number, parent in enumerate(parents):
        state.urls.add(record(str(number), parent_url=parent, depth=number))
    leased = state.urls.lease(0.0, 60.0, 9, ["a.org"])
    assert [(each.parent_url, each.depth) for each in leased[1:]] == [
        (each, n) for n, each in enumerate(parents)
    ]


def test_the_row_of_a_host_is_restored() -> None:
    state = SqliteState()
    row = HostRow(1.0, 2.0, 3.0, is_given_up=True, in_flight=4, failures=5, pauses=6)
    state.hosts.restore("a.org", row)
    assert list(state.hosts.rows()) == [("a.org", row)]


def lease_of(state: FrontierState, name: str) -> int:
    known = state.urls.get(key64(name))
    return known.lease if known else 0


EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["add", "nofollow", "fetched", "skipped", "failed", "lease", "release"]),
        st.sampled_from("uvwx"),
    ),
    max_size=40,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(EVENTS)
def test_counts_are_those_of_the_records_and_no_open_record_is_out_of_reach(
    make: Make, events: list[tuple[str, str]]
) -> None:
    state = make()
    seen: set[str] = set()
    for event, name in events:
        if event in ("add", "nofollow"):
            (state.urls.add if event == "add" else state.urls.add_nofollow)(record(name))
        elif event == "lease":
            state.urls.lease(0.0, 1.0, 1, ["a.org"])
        elif event == "release":
            state.urls.release(key64(name), lease_of(state, name))
        else:
            decided = record(name, status=event, reason="" if event == "fetched" else "why")
            state.urls.decide(replace(decided, lease=lease_of(state, name)))
        seen |= {name} if event not in ("lease", "release") else set()
    records = [known for name in "uvwx" if (known := state.urls.get(key64(name)))]
    counts = state.urls.counts()
    assert counts.seen == len(seen) == len(records)
    assert counts.open == sum(known.status == "open" for known in records)
    assert counts.open == len(state.urls.lease(2.0, 3.0, 9, ["a.org"]))
    assert sum(counts.skipped.values()) == sum(known.status == "skipped" for known in records)

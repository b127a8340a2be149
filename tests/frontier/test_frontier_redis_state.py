"""Redis as the state of a frontier: what it costs, what it refuses, and what it waits for."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
import redis
from scrapy.core.downloader import Slot

from ragcrawler.frontier import UrlCounts, UrlRecord
from ragcrawler.frontier.hosts.throttle import HostThrottle
from ragcrawler.frontier.page_limit import AcceptedPages
from ragcrawler.frontier.states.dump import dump_lines, import_lines
from ragcrawler.frontier.states.protocol import CRASHES, LeaseTerms, Polled, key64
from ragcrawler.frontier.states.redis import RedisAddress, RedisState, RedisStateError
from ragcrawler.frontier.states.redis.hosts import RedisHosts
from ragcrawler.frontier.states.redis.server import RedisServer
from ragcrawler.frontier.states.sqlite import SqliteState
from ragcrawler.middlewares.throttling.throttled_slot import ThrottledSlot
from tests.frontier.redis_process import RedisProcess


@pytest.fixture
def own_server(tmp_path: Path, redis_server: RedisProcess) -> Iterator[RedisProcess]:
    """A server that a test may kill; there is one where there is the other."""
    server = RedisProcess(tmp_path)
    server.start()
    yield server
    server.kill()


def record(name: str) -> UrlRecord:
    return UrlRecord(key64(name), f"https://a.org/{name}", "a.org")


def test_workers_share_a_crawl_and_crawls_share_nothing(redis_server: RedisProcess) -> None:
    address = RedisAddress(redis_server.url, uuid4().hex)
    one, two, other = (
        RedisState(address),
        RedisState(address),
        RedisState(RedisAddress(redis_server.url, uuid4().hex)),
    )
    assert [state.urls.add(record("x")) for state in (one, two, other)] == [True, False, True]
    assert len(one.urls.lease(0.0, 60.0, 9, ["a.org"])) == 1
    assert two.urls.lease(59.0, 99.0, 9, ["a.org"]) == []
    (taken_over,) = two.urls.lease(60.0, 120.0, 9, ["a.org"])
    assert taken_over.attempts == 2
    other.forget()
    assert (other.urls.counts().seen, one.urls.counts().seen) == (0, 1)


def test_each_worker_counts_its_own_requests_in_flight(redis_server: RedisProcess) -> None:
    address = RedisAddress(redis_server.url, uuid4().hex)
    one, two = RedisState(address), RedisState(address)
    for state in (one, one, two):
        state.hosts.begin_request("a.org")
    one.hosts.end_request("a.org")
    assert [state.hosts.get("a.org").in_flight for state in (one, two)] == [1, 1]


def test_one_worker_alone_takes_the_turn_of_a_host(redis_server: RedisProcess) -> None:
    address = RedisAddress(redis_server.url, uuid4().hex)
    one, two = RedisState(address), RedisState(address)
    assert one.hosts.take_turn("a.org", 100.0) == 0.0
    assert 99.0 < two.hosts.take_turn("a.org", 100.0) <= 100.0
    assert two.hosts.take_turn("b.org", 100.0) == 0.0
    two.hosts.hold("b.org", two.clock() + 1000.0)
    assert 999.0 < one.hosts.take_turn("b.org", 100.0) <= 1000.0


def test_what_was_sent_behind_its_turn_counts_from_when_it_was_sent(redis_server: RedisProcess) -> None:
    address = RedisAddress(redis_server.url, uuid4().hex)
    one, two = RedisState(address), RedisState(address)
    assert one.hosts.take_turn("a.org", 0.0) == 0.0
    assert two.hosts.take_turn("a.org", 0.0) == 0.0  # and its connection is open first
    assert two.hosts.begin_turn("a.org", 100.0, 100.0) == 0.0
    assert 99.0 < one.hosts.begin_turn("a.org", 100.0, 100.0) <= 100.0
    assert 98.0 < one.hosts.take_turn("a.org", 100.0) <= 110.0


def test_a_turn_counts_from_when_its_request_arrived_unless_another_followed(
    redis_server: RedisProcess,
) -> None:
    address = RedisAddress(redis_server.url, uuid4().hex)
    one, two = RedisState(address), RedisState(address)
    assert one.hosts.begin_turn("a.org", 100.0, 100.0) == 0.0
    one.hosts.postpone_turn("a.org", 50.0)
    assert 99.0 < two.hosts.begin_turn("a.org", 100.0, 100.0) <= 100.0
    one.hosts.postpone_turn("a.org", -50.0)
    assert 149.0 < two.hosts.begin_turn("a.org", 100.0, 100.0) <= 150.0


def test_after_a_break_nobody_is_asked_before_the_delay_is_over(redis_server: RedisProcess) -> None:
    now = 1000.0
    server = RedisServer(RedisAddress(redis_server.url, uuid4().hex))
    hosts = RedisHosts(server, lambda: now, lambda: now)
    assert hosts.take_turn("a.org", 5.0) == 0.0
    server.breaks += 1  # the server may have forgotten who was asked last
    assert hosts.take_turn("b.org", 5.0) == 5.0
    now += 4.0
    assert hosts.begin_turn("b.org", 5.0, 5.0) == 1.0
    now += 1.0
    assert hosts.take_turn("c.org", 5.0) == 0.0
    server.close()


def test_a_page_that_two_workers_reach_is_accepted_from_one(redis_server: RedisProcess) -> None:
    address = RedisAddress(redis_server.url, uuid4().hex)
    pages = [AcceptedPages(RedisState(address).notes, key64, 0) for _ in range(2)]
    assert [each.accept("https://a.org/") for each in pages] == ["accepted", "known"]


def test_a_worker_prolongs_its_own_leases_and_no_others(redis_server: RedisProcess) -> None:
    address = RedisAddress(redis_server.url, uuid4().hex)
    one, two = RedisState(address), RedisState(address)
    for name in "vwxyz":
        one.urls.add(record(name))
    v, w, _ = one.urls.lease(0.0, 60.0, 3, ["a.org"])
    assert one.urls.take(key64("y"), 60.0)
    one.urls.decide(replace(v, status="fetched"))
    one.urls.park(w.key, w.lease)
    assert one.urls.renew_own(100.0) == []
    assert [each.url[-1] for each in two.urls.lease(99.0, 200.0, 9, ["a.org"])] == ["z"]
    assert [each.url[-1] for each in two.urls.lease(100.0, 200.0, 9, ["a.org"])] == ["x", "y"]
    assert len(one.urls.renew_own(300.0)) == 2
    assert len(two.urls.lease(200.0, 400.0, 9, ["a.org"])) == 3


def test_a_url_is_leased_with_a_turn_of_its_host(redis_server: RedisProcess) -> None:
    address, terms = RedisAddress(redis_server.url, uuid4().hex), LeaseTerms(60.0, delay_seconds=100.0)
    one, two = RedisState(address), RedisState(address)
    assert one.poll(terms, ()) == Polled([], [])
    for name in "xy":
        one.urls.add(record(name))
    assert one.poll(terms, ()) == Polled([replace(record("x"), attempts=1)], [])
    assert two.poll(terms, ()) == Polled([], [])
    assert one.hosts.take_turn("a.org", 100.0) == 0.0  # it came with the lease
    for state in (one, two):
        assert 99.0 < state.hosts.take_turn("a.org", 100.0) <= 100.0
    assert two.urls.queued() == 1


def test_so_many_urls_of_a_host_are_leased_as_have_their_turns_soon(redis_server: RedisProcess) -> None:
    state = RedisState(RedisAddress(redis_server.url, uuid4().hex))
    for number in range(40):
        state.urls.add(record(str(number)))
    terms = LeaseTerms(60.0, delay_seconds=0.5, ahead_seconds=2.0)
    assert len(state.poll(terms, ()).records) == 4
    assert state.poll(terms, ()).records == []  # the next turn is in two seconds
    free = [len(state.poll(LeaseTerms(60.0, most=32, of_host=8), ()).records) for _ in range(2)]
    assert free == [0, 0]  # the delay that was kept until now is that of the host's turns


def test_hosts_without_a_delay_take_turns(redis_server: RedisProcess) -> None:
    state, terms = (
        RedisState(RedisAddress(redis_server.url, uuid4().hex)),
        LeaseTerms(60.0, most=6, of_host=4),
    )
    for number in range(10):
        state.urls.add(record(str(number)))
        state.urls.add(UrlRecord(number, f"https://b.org/{number}", "b.org"))
    leased = [
        [each.site for each in state.poll(terms, left_out).records] for left_out in ((), ("b.org",), ())
    ]
    assert leased == [["a.org"] * 4 + ["b.org"] * 2, ["a.org"] * 4, ["b.org"] * 4 + ["a.org"] * 2]


def test_a_host_that_is_held_is_not_leased_from_before_its_time(redis_server: RedisProcess) -> None:
    state, terms = RedisState(RedisAddress(redis_server.url, uuid4().hex)), LeaseTerms(60.0)
    state.urls.add(record("x"))
    state.hosts.hold("a.org", state.clock() + 1000.0)
    assert state.poll(terms, ()).records == []
    assert (state.urls.queued(), list(state.urls.sites())) == (1, ["a.org"])


def test_a_poll_leases_again_what_ran_out(redis_server: RedisProcess) -> None:
    address, terms = RedisAddress(redis_server.url, uuid4().hex), LeaseTerms(60.0)
    dead, alive = RedisState(address), RedisState(address)
    dead.urls.add(record("x"))
    (lost,) = dead.urls.lease(0.0, 1.0, 1, ["a.org"])
    ((taken,), _) = alive.poll(terms, ())
    assert (taken.url, taken.attempts) == (lost.url, 2)
    assert taken.lease > lost.lease


def test_the_slots_of_two_processes_take_turns(redis_server: RedisProcess) -> None:
    address = RedisAddress(redis_server.url, uuid4().hex)
    one, two = (
        ThrottledSlot("a.org", Slot(8, 100.0, 0.0), HostThrottle(RedisState(address).hosts)) for _ in range(2)
    )
    for slot in (one, two):
        slot.lastseen = time.monotonic() - 1000.0
    assert one.seconds_to_turn() == 0.0
    assert 99.0 < two.seconds_to_turn() <= 100.0
    assert one.seconds_to_send() == 0.0
    assert 99.0 < two.seconds_to_send() <= 100.0


def test_a_slot_without_a_delay_needs_no_turn(redis_server: RedisProcess) -> None:
    address = RedisAddress(redis_server.url, uuid4().hex)
    for _ in range(2):
        slot = ThrottledSlot("a.org", Slot(8, 0.0, 0.0), HostThrottle(RedisState(address).hosts))
        assert slot.seconds_to_turn() == 0.0


def test_a_server_that_was_killed_is_waited_for_and_has_lost_nothing(own_server: RedisProcess) -> None:
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            own_server.start()

    state = RedisState(RedisAddress(own_server.url, "crawl"), pause)
    state.urls.add(record("x"))
    state.urls.lease(0.0, 60.0, 1, ["a.org"])
    own_server.kill()
    assert state.urls.add(record("y"))
    assert len(pauses) == 3
    assert state.urls.counts() == UrlCounts(2, 2, 0)
    assert not state.urls.add(record("x"))


def test_a_server_that_stands_still_is_waited_for_and_acts_once(own_server: RedisProcess) -> None:
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 2:
            own_server.send(signal.SIGCONT)

    state = RedisState(RedisAddress(own_server.url, "crawl", timeout_seconds=0.2), pause)
    state.notes.count("files", 1)
    own_server.send(signal.SIGSTOP)
    assert state.notes.count("files", 1) == 2
    assert len(pauses) >= 2
    assert state.notes.counter("files", 1) == 2


def test_a_server_that_stays_away_is_given_up_by_name(own_server: RedisProcess) -> None:
    waited: list[float] = []
    state = RedisState(RedisAddress(own_server.url, "crawl", wait_seconds=30.0), waited.append)
    own_server.kill()
    with pytest.raises(
        RedisStateError, match=rf"Redis at redis://127.0.0.1:{own_server.port}/0 does not answer"
    ):
        state.urls.add(record("x"))
    assert 30.0 <= sum(waited) < 35.0


def test_a_call_whose_answer_was_lost_has_one_effect(
    redis_server: RedisProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = RedisState(RedisAddress(redis_server.url, uuid4().hex), lambda _: None)
    send = redis.Redis.execute_command
    lost: list[object] = []

    def answer_is_lost_once(client: redis.Redis, *arguments: object, **named: object) -> object:
        answer = send(client, *arguments, **named)
        if arguments[0] == "EVALSHA" and not lost:
            lost.append(answer)
            raise redis.ConnectionError("the connection broke")
        return answer

    state.notes.count("files", 1)
    monkeypatch.setattr(redis.Redis, "execute_command", answer_is_lost_once)
    assert state.notes.count("files", 1) == 2
    assert lost == [2]


def _other_keys(client: redis.Redis) -> None:
    client.set("queue", "of another program")


def _other_version(client: redis.Redis) -> None:
    client.set("ragcrawler:format", "99")


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (_other_keys, "has 1 keys of another program: name a database of its"),
        (_other_version, "has crawls of another version of this program"),
    ],
)
def test_another_programs_database_is_refused_and_left_alone(
    own_server: RedisProcess, prepare: Callable[[redis.Redis], None], message: str
) -> None:
    with redis.Redis(port=own_server.port) as client:
        prepare(client)
        before = client.keys()
        with pytest.raises(RedisStateError, match=message):
            RedisState(RedisAddress(own_server.url, "crawl"))
        assert client.keys() == before


@pytest.mark.parametrize("password", ["", "user:wr0ng@", ":wr0ng@"])
def test_a_wrong_password_is_refused_and_not_shown(
    tmp_path: Path, redis_server: RedisProcess, password: str
) -> None:
    server = RedisProcess(tmp_path, ["--requirepass", "r1ght"])
    server.start()
    url = f"redis://{password}127.0.0.1:{server.port}/0"
    try:
        with pytest.raises(RedisStateError, match="refused user or password") as refusal:
            RedisState(RedisAddress(url, "crawl"))
    finally:
        server.kill()
    assert "wr0ng" not in str(refusal.value)


def test_an_old_server_is_refused(redis_server: RedisProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis.Redis, "info", lambda *_: {"redis_version": "6.0.16"})
    with pytest.raises(RedisStateError, match=r"is 6\.0\.16: at least 6\.2 is needed"):
        RedisState(RedisAddress(redis_server.url, "crawl"))


@pytest.mark.parametrize(
    "url",
    [
        "redis://127.0.0.1:1/0",
        "http://127.0.0.1/",
        "redis://:s3cret@127.0.0.1:1/0",
        "redis://127.0.0.1:1/0?password=s3cret",
    ],
)
def test_a_url_without_redis_behind_it_is_named_without_its_password(url: str) -> None:
    with pytest.raises(RedisStateError, match="Redis at ") as refusal:
        RedisState(RedisAddress(url, "crawl", wait_seconds=0.0))
    assert "s3cret" not in str(refusal.value)


def test_a_url_costs_at_most_150_bytes(redis_server: RedisProcess) -> None:
    with redis.Redis(port=redis_server.port) as client:
        before = client.info("memory")["used_memory"]
        state = RedisState(RedisAddress(redis_server.url, uuid4().hex))
        for number in range(20_000):
            name = f"documentation/section-{number % 97}/page-{number}.html"
            parent = f"https://a.org/documentation/section-{number // 8}/index.html"
            state.urls.add(UrlRecord(key64(name), f"https://a.org/{name}", "a.org", 3, parent))
        assert (client.info("memory")["used_memory"] - before) / 20_000 <= 150
    state.forget()


def test_a_lease_that_ran_out_is_a_crash_of_the_worker_that_had_it(redis_server: RedisProcess) -> None:
    state = RedisState(RedisAddress(redis_server.url, uuid4().hex))
    state.urls.add(record("x"))
    for crashes in range(3):
        assert len(state.urls.lease(crashes + 1.0, crashes + 2.0, 1, ["a.org"])) == 1
        assert state.notes.counter(CRASHES, key64("x")) == crashes
    state.close()


def test_the_last_worker_ends_the_crawl_for_all(redis_server: RedisProcess) -> None:
    address = RedisAddress(redis_server.url, uuid4().hex)
    one, two = RedisState(address), RedisState(address)
    for state in (one, two):
        state.workers.beat()
        state.urls.add(record("x"))
    assert not one.workers.is_over()
    (leased,) = one.urls.lease(one.clock(), one.clock() + 60.0, 1, ["a.org"])
    assert not two.workers.is_over()
    one.urls.decide(replace(leased, status="fetched"))
    assert two.workers.is_over()
    assert one.workers.end({"pages": 1}) == "wait"
    assert two.workers.end({"pages": 0}) == "end"
    assert one.workers.end({"pages": 1}) == "wait"
    assert sorted(result["pages"] for result in two.workers.results()) == [0, 1]
    two.workers.mark_ended()
    assert one.workers.end({"pages": 1}) == "leave"


def test_a_crawl_is_not_over_while_a_dead_worker_has_a_lease(redis_server: RedisProcess) -> None:
    address = RedisAddress(redis_server.url, uuid4().hex)
    dead, successor = RedisState(address), RedisState(address)
    dead.urls.add(record("x"))
    dead.urls.lease(dead.clock(), dead.clock() + 0.05, 1, ["a.org"])
    while not successor.urls.queued():
        assert not successor.workers.is_over()
    assert len(successor.urls.lease(successor.clock(), successor.clock() + 60.0, 1, ["a.org"])) == 1


def test_what_waits_for_another_url_when_all_is_done_is_asked_for(redis_server: RedisProcess) -> None:
    state = RedisState(RedisAddress(redis_server.url, uuid4().hex))
    state.urls.add(record("x"))
    state.urls.park(key64("x"))
    state.urls.add(record("its canonical"))
    (canonical,) = state.urls.lease(0.0, 1e12, 1, ["a.org"])
    assert (state.is_over(), state.urls.queued()) == (False, 0)
    state.urls.decide(replace(canonical, status="fetched"))
    assert (state.is_over(), state.urls.queued()) == (False, 1)  # who decided it did not come to the other
    state.urls.decide(replace(record("x"), status="fetched"))
    assert state.is_over()


def test_the_listings_of_a_dead_worker_go_to_another(redis_server: RedisProcess) -> None:
    address = RedisAddress(redis_server.url, uuid4().hex)
    dead, alive = RedisState(address), RedisState(address)
    now = alive.clock()
    for key in (1, 2):
        dead.side_queue.put(key, "a.org", f"listing {key}")
    assert [dead.side_queue.lease("a.org", now + 60.0) for _ in range(2)] == ["listing 1", "listing 2"]
    assert (list(alive.side_queue.sites()), alive.is_over()) == ([], False)
    dead.side_queue.end(1)
    dead.keep_leases(now - 1.0)
    assert list(alive.side_queue.sites()) == ["a.org"]
    assert alive.side_queue.lease("a.org", now + 60.0) == "listing 2"
    dead.keep_leases(now - 1.0)  # its own no more
    assert list(alive.side_queue.sites()) == []
    alive.side_queue.end(2)
    assert alive.is_over()


def test_a_dump_of_sqlite_comes_back_from_redis(redis_server: RedisProcess) -> None:
    state, copy = SqliteState(), RedisState(RedisAddress(redis_server.url, uuid4().hex))
    back = SqliteState()
    for name in "wxyz":
        state.urls.add(replace(record(name), parent_url="https://a.org/", depth=1))
    state.urls.park(key64("w"))
    state.urls.decide(replace(record("x"), status="fetched"))
    state.hosts.hold("a.org", 123456789.123456)
    state.notes.count("facet_values", -5, 3)
    import_lines(copy, dump_lines(state))
    import_lines(back, dump_lines(copy))
    ours, theirs = ({line for line in dump_lines(each) if '"fetched"' not in line} for each in (state, back))
    assert ours == theirs
    assert back.urls.counts() == state.urls.counts()


def test_workers_and_redis_may_be_killed_and_every_page_is_fetched(redis_server: RedisProcess) -> None:
    program = [sys.executable, "benchmarks/frontier_workers.py", "--pages", "90", "--delay", "0.02"]
    options = ["--lease", "2", "--away", "0.3", "--only", "killed"]
    ended = subprocess.run([*program, *options], capture_output=True, text=True, check=True, timeout=240)
    found = json.loads(ended.stdout.splitlines()[-1])
    assert (found["pages"], found["done"], found["ended_by"]) == (90, 90, 1)
    # Each worker asks for one page at a time: a killed one and a broken connection leave one each.
    assert found["fetched_twice"] <= 4

"""The delay between two requests to one site."""

from itertools import pairwise

import pytest
from scrapy.core.downloader import Slot

from ragcrawler.frontier.hosts.throttle import HostThrottle
from ragcrawler.frontier.states.sqlite import SqliteState
from ragcrawler.frontier.states.sqlite.database import StateDatabase
from ragcrawler.frontier.states.sqlite.hosts import SqliteHosts
from ragcrawler.middlewares.throttling.throttled_slot import ThrottledSlot


def slot(throttle: HostThrottle, delay: float = 1.0, jitter: float = 0.2) -> ThrottledSlot:
    made = ThrottledSlot("a.org", Slot(8, delay, jitter), throttle)
    made.lastseen = 100.0
    return made


def test_the_delay_is_drawn_once_a_request() -> None:
    paced = slot(HostThrottle(SqliteState().hosts, lambda: 100.0))
    assert len({paced.download_delay() for _ in range(50)}) == 1
    drawn = []
    for number in range(200):
        paced.lastseen = 100.0 + number
        drawn.append(paced.download_delay())
    assert 0.9 <= min(drawn) < 0.95
    assert 1.15 < max(drawn) <= 1.2


def test_a_delay_that_is_adjusted_meanwhile_counts_at_once() -> None:
    paced = slot(HostThrottle(SqliteState().hosts, lambda: 100.0), jitter=0.0)
    assert paced.download_delay() == 1.0
    paced.delay = 3.0
    assert paced.download_delay() == 3.0


def test_the_least_delay_of_the_site_counts_whatever_the_slot_says() -> None:
    throttle = HostThrottle(SqliteState().hosts, lambda: 100.0)
    throttle.set_delay("a.org", 5.0)
    throttle.set_delay("b.org", 9.0)
    assert slot(throttle).download_delay() == 5.0
    assert slot(throttle, delay=7.0, jitter=0.0).download_delay() == 7.0


def test_a_hold_lasts_from_now_not_from_the_last_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragcrawler.middlewares.throttling.throttled_slot.monotonic", lambda: 103.0)
    throttle = HostThrottle(SqliteState().hosts, lambda: 103.0)
    throttle.hold("a.org", 10.0)
    assert slot(throttle).download_delay() == 13.0


class SharedTurns(SqliteHosts):
    """Rows that other processes have too: the seconds until each call of `begin_turn` may send."""

    def __init__(self, *seconds: float) -> None:
        super().__init__(StateDatabase())
        self.seconds = list(seconds)
        self.postponed: list[float] = []

    def begin_turn(self, site: str, delay_seconds: float, pace_seconds: float) -> float:
        assert (site, delay_seconds, pace_seconds) == ("a.org", 1.0, 1.0)
        return self.seconds.pop(0)

    def postpone_turn(self, site: str, seconds_ago: float) -> None:
        assert site == "a.org"
        self.postponed.append(seconds_ago)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def sending_slot(clock: Clock, hosts: SqliteHosts | None = None, jitter: float = 0.0) -> ThrottledSlot:
    throttle = HostThrottle(hosts or SqliteState().hosts, clock)
    return ThrottledSlot("a.org", Slot(8, 1.0, jitter), throttle, clock)


@pytest.mark.parametrize(("jitter", "least"), [(0.0, 1.0), (0.2, 0.9)])
def test_a_request_is_sent_when_the_least_delay_since_the_last_one_is_over(
    jitter: float, least: float
) -> None:
    clock = Clock()
    paced = sending_slot(clock, jitter=jitter)
    assert paced.seconds_to_send() == 0.0
    clock.now += 0.4
    assert paced.seconds_to_send() == pytest.approx(least - 0.4)
    clock.now += least - 0.4
    assert paced.seconds_to_send() == 0.0
    assert paced.seconds_to_send() == pytest.approx(least)


def test_a_slow_connection_does_not_bring_two_requests_together() -> None:
    clock, opens_after = Clock(), iter([0.9, 0.1, 0.0, 0.5, 0.0])
    paced, sent, leaves_at = sending_slot(clock), [], 100.0
    for seconds in opens_after:
        clock.now = max(clock.now, leaves_at + seconds)
        while wait := paced.seconds_to_send():
            clock.now += wait
        sent.append(clock.now)
        leaves_at += 1.0
    gaps = [later - sooner for sooner, later in pairwise(sent)]
    assert min(gaps) >= 1.0
    assert sum(gaps) / len(gaps) < 1.05


def test_what_waits_for_others_is_sent_by_their_turn_and_counts_from_then() -> None:
    clock = Clock()
    paced = sending_slot(clock, SharedTurns(0.7, 0.0))
    assert paced.seconds_to_send() == 0.7
    clock.now += 0.7
    assert paced.seconds_to_send() == 0.0
    assert paced.seconds_to_send() == pytest.approx(1.0)


def test_a_request_that_waited_moves_the_next_ones_by_a_part_of_it() -> None:
    clock = Clock()
    paced = sending_slot(clock)
    paced.lastseen = clock.now
    paced.seconds_to_send()
    paced.seconds_to_send()
    assert paced.lastseen == pytest.approx(100.1)
    assert paced.download_delay() == 1.0


def answered_after(clock: Clock, paced: ThrottledSlot, seconds: float) -> float:
    """Send a request whose answer takes so long; the seconds until the next one."""
    while wait := paced.seconds_to_send():
        clock.now += wait
    sent_at = clock.now
    clock.now += seconds
    paced.note_answer(sent_at)
    clock.now = max(clock.now, sent_at + 0.5)
    return paced.seconds_to_send() + clock.now - sent_at


def test_an_answer_that_is_later_than_usual_delays_the_next_request_by_as_much() -> None:
    clock = Clock()
    paced = sending_slot(clock)
    assert answered_after(clock, paced, 0.1) == pytest.approx(1.1)
    assert [answered_after(clock, paced, 0.1) for _ in range(8)] == pytest.approx([1.0] * 8)
    assert answered_after(clock, paced, 0.4) == pytest.approx(1.3)
    assert answered_after(clock, paced, 0.05) == pytest.approx(1.0)


def test_an_answer_that_comes_after_the_next_request_delays_nothing() -> None:
    clock = Clock()
    paced = sending_slot(clock)
    paced.seconds_to_send()
    sent_at = clock.now
    clock.now += 1.0
    assert paced.seconds_to_send() == 0.0
    paced.note_answer(sent_at)
    assert paced.seconds_to_send() == pytest.approx(1.0)


def test_the_delay_counts_from_when_a_request_was_written() -> None:
    clock = Clock()
    hosts = SharedTurns(0.0, 0.0)
    paced = sending_slot(clock, hosts)
    paced.note_sent()  # of a site that had no delay when it was asked for
    paced.seconds_to_send()
    clock.now += 0.4
    paced.note_sent()
    clock.now += 0.3
    assert paced.seconds_to_send() == pytest.approx(0.7)
    assert hosts.postponed == [0.0]


def test_other_processes_are_told_of_an_answer_that_is_late() -> None:
    clock = Clock()
    hosts = SharedTurns(0.0, 0.0, 0.0)
    paced = sending_slot(clock, hosts)
    for seconds, postponed in ((0.1, [0.0]), (0.11, [0.0]), (0.5, [0.0, pytest.approx(0.1)])):
        paced.seconds_to_send()
        clock.now += seconds
        paced.note_answer(clock.now - seconds)
        assert hosts.postponed == postponed
        clock.now += 9.0


def test_a_site_without_a_delay_is_asked_at_once() -> None:
    clock = Clock()
    paced = ThrottledSlot("a.org", Slot(8, 0.0, 0.2), HostThrottle(SharedTurns(), clock), clock)
    assert [paced.seconds_to_send() for _ in range(3)] == [0.0, 0.0, 0.0]

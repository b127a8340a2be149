"""The delay between two requests to one site."""

import pytest
from scrapy.core.downloader import Slot

from ragcrawler.frontier.hosts.throttle import HostThrottle
from ragcrawler.frontier.states.memory import MemoryState
from ragcrawler.middlewares.throttling.throttled_slot import ThrottledSlot


def slot(throttle: HostThrottle, delay: float = 1.0, jitter: float = 0.2) -> ThrottledSlot:
    made = ThrottledSlot("a.org", Slot(8, delay, jitter), throttle)
    made.lastseen = 100.0
    return made


def test_the_delay_is_drawn_once_a_request() -> None:
    paced = slot(HostThrottle(MemoryState().hosts, lambda: 100.0))
    assert len({paced.download_delay() for _ in range(50)}) == 1
    drawn = []
    for number in range(200):
        paced.lastseen = 100.0 + number
        drawn.append(paced.download_delay())
    assert 0.9 <= min(drawn) < 0.95
    assert 1.15 < max(drawn) <= 1.2


def test_the_second_request_waits_longest() -> None:
    paced = slot(HostThrottle(MemoryState().hosts, lambda: 100.0))
    paced.lastseen = 0.0
    paced.download_delay()
    paced.lastseen = 100.0
    assert paced.download_delay() == 1.2


def test_a_delay_that_is_adjusted_meanwhile_counts_at_once() -> None:
    paced = slot(HostThrottle(MemoryState().hosts, lambda: 100.0), jitter=0.0)
    assert paced.download_delay() == 1.0
    paced.delay = 3.0
    assert paced.download_delay() == 3.0


def test_the_least_delay_of_the_site_counts_whatever_the_slot_says() -> None:
    throttle = HostThrottle(MemoryState().hosts, lambda: 100.0)
    throttle.set_delay("a.org", 5.0)
    throttle.set_delay("b.org", 9.0)
    assert slot(throttle).download_delay() == 5.0
    assert slot(throttle, delay=7.0, jitter=0.0).download_delay() == 7.0


def test_a_hold_lasts_from_now_not_from_the_last_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragcrawler.middlewares.throttling.throttled_slot.monotonic", lambda: 103.0)
    throttle = HostThrottle(MemoryState().hosts, lambda: 103.0)
    throttle.hold("a.org", 10.0)
    assert slot(throttle).download_delay() == 13.0


def test_the_delay_counts_from_the_sending_and_is_not_drawn_anew_for_it() -> None:
    paced = slot(HostThrottle(MemoryState().hosts, lambda: 100.0))
    drawn = paced.download_delay()
    paced.mark_sent()
    assert paced.lastseen != 100.0
    assert paced.download_delay() == drawn

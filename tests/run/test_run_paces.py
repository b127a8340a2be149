"""The pace of each site."""

from ragcrawler.run.paces import Paces


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_hold_ends_by_itself_and_concerns_one_site() -> None:
    clock = Clock()
    paces = Paces(clock)
    paces.hold("a.org", 5.0)
    assert paces.held_seconds("a.org") == 5.0
    assert not paces.is_ready("a.org")
    assert paces.is_ready("b.org")
    clock.now += 5.0
    assert paces.is_ready("a.org")


def test_a_hold_is_never_shortened() -> None:
    paces = Paces(Clock())
    paces.hold("a.org", 60.0)
    paces.hold("a.org", 1.0)
    assert paces.held_seconds("a.org") == 60.0


def test_listeners_hear_of_holds_that_prolong_the_wait() -> None:
    heard: list[tuple[str, float]] = []
    paces = Paces(Clock())
    paces.when_held(lambda site, seconds: heard.append((site, seconds)))
    paces.hold("a.org", 2.0)
    paces.hold("a.org", 1.0)
    paces.hold("a.org", 3.0)
    assert heard == [("a.org", 2.0), ("a.org", 3.0)]


def test_a_site_that_is_asked_for_its_rules_is_not_ready() -> None:
    paces = Paces(Clock())
    paces.begin_asking("a.org")
    assert not paces.is_ready("a.org")
    paces.end_asking("a.org")
    assert paces.is_ready("a.org")


def test_the_number_of_sites_is_bounded() -> None:
    paces = Paces(Clock())
    for number in range(10_001):
        paces.slow_down(f"{number}.org", 7.0)
    assert paces.least_seconds("0.org") == 0.0
    assert paces.least_seconds("10000.org") == 7.0


def test_a_site_is_given_up_for_good() -> None:
    paces = Paces(Clock())
    assert not paces.is_given_up("a.org")
    paces.give_up("a.org")
    assert paces.is_given_up("a.org")


def test_requests_under_way_are_counted_by_site() -> None:
    paces = Paces(Clock())
    paces.began("a.org")
    paces.began("a.org")
    paces.ended("a.org")
    assert (paces.under_way("a.org"), paces.under_way("b.org")) == (1, 0)
    paces.ended("a.org")
    assert paces.under_way("a.org") == 0

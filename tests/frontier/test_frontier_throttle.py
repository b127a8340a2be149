"""The pace of each site."""

from ragcrawler.frontier.hosts.throttle import HostThrottle
from ragcrawler.frontier.states.sqlite import SqliteState


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_hold_ends_by_itself_and_concerns_one_site() -> None:
    clock = Clock()
    throttle = HostThrottle(SqliteState().hosts, clock)
    throttle.hold("a.org", 5.0)
    assert throttle.held_seconds("a.org") == 5.0
    assert not throttle.is_ready("a.org")
    assert throttle.is_ready("b.org")
    clock.now += 5.0
    assert throttle.is_ready("a.org")


def test_a_hold_is_never_shortened() -> None:
    throttle = HostThrottle(SqliteState().hosts, Clock())
    throttle.hold("a.org", 60.0)
    throttle.hold("a.org", 1.0)
    assert throttle.held_seconds("a.org") == 60.0


def test_listeners_hear_of_holds_that_prolong_the_wait() -> None:
    heard: list[tuple[str, float]] = []
    throttle = HostThrottle(SqliteState().hosts, Clock())
    throttle.when_held(lambda site, seconds: heard.append((site, seconds)))
    throttle.hold("a.org", 2.0)
    throttle.hold("a.org", 1.0)
    throttle.hold("a.org", 3.0)
    assert heard == [("a.org", 2.0), ("a.org", 3.0)]


def test_a_site_that_is_asked_for_its_rules_is_not_ready() -> None:
    throttle = HostThrottle(SqliteState().hosts, Clock())
    throttle.begin_asking("a.org")
    assert not throttle.is_ready("a.org")
    throttle.end_asking("a.org")
    assert throttle.is_ready("a.org")


def test_a_site_is_given_up_for_good() -> None:
    throttle = HostThrottle(SqliteState().hosts, Clock())
    assert not throttle.is_given_up("a.org")
    throttle.give_up("a.org")
    assert throttle.is_given_up("a.org")


def test_requests_in_flight_are_counted_by_site() -> None:
    throttle = HostThrottle(SqliteState().hosts, Clock())
    throttle.begin_request("a.org")
    throttle.begin_request("a.org")
    throttle.end_request("a.org")
    assert (throttle.in_flight("a.org"), throttle.in_flight("b.org")) == (1, 0)
    throttle.end_request("a.org")
    assert throttle.in_flight("a.org") == 0

"""When a site that keeps failing is paused and given up."""

import pytest

from ragcrawler.frontier.hosts.site_health import HealthVerdict, SiteHealth, SiteLimits
from ragcrawler.frontier.states.sqlite import SqliteState

GO_ON, PAUSE, GIVE_UP = HealthVerdict.GO_ON, HealthVerdict.PAUSE, HealthVerdict.GIVE_UP


@pytest.fixture
def health() -> SiteHealth:
    return SiteHealth(SqliteState().hosts, SiteLimits(max_failures=3, max_pauses=2, pause_seconds=10.0))


def test_pauses_double_and_then_the_site_is_given_up(health: SiteHealth) -> None:
    assert [health.record_failure("a.org") for _ in range(3)] == [GO_ON, GO_ON, PAUSE]
    assert health.pause_seconds("a.org") == 10.0
    assert [health.record_failure("a.org") for _ in range(3)] == [GO_ON, GO_ON, PAUSE]
    assert health.pause_seconds("a.org") == 20.0
    assert [health.record_failure("a.org") for _ in range(3)] == [GO_ON, GO_ON, GIVE_UP]


def test_one_success_begins_anew(health: SiteHealth) -> None:
    for _ in range(5):
        health.record_failure("a.org")
    health.record_success("a.org")
    assert [health.record_failure("a.org") for _ in range(3)] == [GO_ON, GO_ON, PAUSE]
    assert health.pause_seconds("a.org") == 10.0


def test_sites_are_counted_apart(health: SiteHealth) -> None:
    assert [health.record_failure(site) for site in ("a.org", "b.org", "a.org", "b.org")] == [GO_ON] * 4

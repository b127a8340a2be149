"""Crawls wait where a site asks for it, and give up a site that keeps failing; other sites go on."""

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from ragcrawler.frontier.hosts.throttle import HostThrottle

Crawl = Callable[..., Any]


@pytest.fixture
def fetch(crawl: Crawl) -> Crawl:
    """Crawl without pipelines."""

    def run(**keywords: Any) -> Any:
        return crawl(
            **{"ITEM_PIPELINES": {}, "SITEMAPS": "off", "RETRY_BACKOFF_BASE_SECONDS": 0.01} | keywords
        )

    return run


def busy_once(site: Any, path: str, status: int, retry_after: Callable[[], str]) -> None:
    def answers() -> Iterator[tuple[int, dict[str, str], bytes]]:
        yield status, {"Retry-After": retry_after()}, b""
        while True:
            yield 200, {}, b"<h1>A page</h1>"

    answer = answers()
    site.answers[path] = lambda: next(answer)


def in_two_seconds() -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)


@pytest.mark.parametrize(
    ("status", "retry_after"), [(429, lambda: "1"), (503, lambda: "1"), (429, in_two_seconds)]
)
def test_retry_after_holds_the_whole_site(
    site: Any, fetch: Crawl, status: int, retry_after: Callable[[], str]
) -> None:
    site.page("/", "/busy", *(f"/{number}" for number in range(9)))
    for number in range(9):
        site.page(f"/{number}")
    busy_once(site, "/busy", status, retry_after)
    run = fetch(domains=site.url, RETRY_ENABLED=True, CONCURRENT_REQUESTS_PER_DOMAIN=2, DOWNLOAD_DELAY=0.02)
    assert run.report["pages"]["fetched"] == 11
    assert run.stats["ragcrawler/sites/held"] == 1
    at_busy = site.requests.index("/busy")
    gaps = [
        later - earlier
        for earlier, later in zip(site.times[at_busy:], site.times[at_busy + 1 :], strict=False)
    ]
    assert max(gaps) > 0.7


def test_a_crawl_sends_nothing_before_its_turn_among_others(
    site: Any, fetch: Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = [0.01, 0.02, 0.0, 0.01]
    turns: list[float] = []

    def take_turn(_: HostThrottle, host: str, delay_seconds: float) -> float:
        assert (host, delay_seconds > 0) == ("127.0.0.1", True)
        turns.append(waits.pop(0) if waits else 0.0)
        return turns[-1]

    monkeypatch.setattr(HostThrottle, "take_turn", take_turn)
    site.page("/", *(f"/{number}" for number in range(5)))
    for number in range(5):
        site.page(f"/{number}")
    run = fetch(domains=site.url, DOWNLOAD_DELAY=0.01)
    assert run.report["pages"]["fetched"] == 6
    assert waits == []
    assert turns.count(0.0) == len(site.requests)


def test_retry_after_is_obeyed_up_to_a_bound(site: Any, fetch: Crawl) -> None:
    busy_once(site, "/", 429, lambda: "86400")
    run = fetch(domains=site.url, RETRY_ENABLED=True, RETRY_AFTER_MAX_SECONDS=0.2)
    assert run.report["pages"]["fetched"] == 1


def test_other_sites_go_on_while_one_is_held(site: Any, other_site: Any, fetch: Crawl) -> None:
    busy_once(site, "/", 429, lambda: "1")
    other_site.page("/", *(f"/{number}" for number in range(40)))
    for number in range(40):
        other_site.page(f"/{number}")
    run = fetch(urls=f"{site.url}/,{other_site.url}/", RETRY_ENABLED=True, CONCURRENT_REQUESTS=4)
    assert run.report["pages"]["fetched"] == 42
    refused, answered = site.times[-2:]
    # More than what was under way when the hold began.
    assert len([time for time in other_site.times if refused < time < answered]) > 8


def test_requests_that_wait_in_the_downloader_take_no_places_of_others(
    site: Any, other_site: Any, fetch: Crawl
) -> None:
    site.page("/", *(f"/busy/{number}" for number in range(3)))
    for number in range(3):
        busy_once(site, f"/busy/{number}", 503, lambda: "2")
    other_site.page("/", *(f"/{number}" for number in range(40)))
    for number in range(40):
        other_site.page(f"/{number}")
    run = fetch(
        urls=f"{site.url}/,{other_site.url}/",
        RETRY_ENABLED=True,
        RETRY_TIMES=9,
        CONCURRENT_REQUESTS=4,
        CONCURRENT_REQUESTS_PER_DOMAIN=1,
        DOWNLOAD_DELAY=0.01,
    )
    assert run.report["pages"]["fetched"] == 45
    assert max(other_site.times) < site.times[-1]


def test_a_failed_page_is_tried_again_and_then_lost(site: Any, fetch: Crawl) -> None:
    site.page("/", status=500)
    run = fetch(domains=site.url, RETRY_ENABLED=True, RETRY_TIMES=2)
    assert site.requests == ["/robots.txt", "/", "/", "/"]
    assert run.failed == {"http_500": 1}


def test_a_page_that_rests_before_its_retry_holds_up_no_other(site: Any, fetch: Crawl) -> None:
    broken = iter([500, 200])
    site.page("/", "/broken", *(f"/{number}" for number in range(9)))
    for number in range(9):
        site.page(f"/{number}")
    site.answers["/broken"] = lambda: (next(broken), {}, b"<h1>A page</h1>")
    run = fetch(domains=site.url, RETRY_ENABLED=True, RETRY_BACKOFF_BASE_SECONDS=0.2, CONCURRENT_REQUESTS=1)
    assert run.report["pages"]["fetched"] == 11
    first, second = (index for index, path in enumerate(site.requests) if path == "/broken")
    assert second - first > 1


def test_a_site_that_keeps_failing_is_paused_and_given_up(site: Any, other_site: Any, fetch: Crawl) -> None:
    paths = [f"/{number}" for number in range(40)]
    for path in paths:
        site.page(path, status=503)
        other_site.page(path)
    run = fetch(
        urls=",".join(f"{each.url}{path}" for path in paths for each in (site, other_site)),
        SITE_MAX_FAILURES=3,
        SITE_PAUSE_SECONDS=0.05,
        SITE_MAX_PAUSES=2,
        CONCURRENT_REQUESTS_PER_DOMAIN=1,
    )
    assert run.report["pages"]["fetched"] == 40
    assert run.failed["http_503"] + run.skipped["site_gave_up"] == 40
    assert 9 <= run.failed["http_503"] < 20
    assert run.stats["ragcrawler/sites/paused"] == 2
    assert run.stats["ragcrawler/sites/given_up"] == 1
    assert run.report["exit_code"] == 4


def test_missing_pages_are_no_failures_of_the_site(site: Any, fetch: Crawl) -> None:
    site.page("/", *(f"/{number}" for number in range(9)), "/there")
    site.page("/there")
    run = fetch(domains=site.url, SITE_MAX_FAILURES=3, SITE_MAX_PAUSES=0)
    assert run.skipped == {"http_404": 9}
    assert run.report["pages"]["fetched"] == 2


def test_a_crawl_without_pipelines_writes_pages_without_their_bodies(site: Any, fetch: Crawl) -> None:
    site.page("/")
    (page,) = fetch(domains=site.url).documents
    assert page["final_url"] == f"{site.url}/"
    assert page["body"] is None


def test_a_site_gets_no_more_requests_at_once_than_it_may(site: Any, fetch: Crawl) -> None:
    site.page("/", *(f"/{number}" for number in range(30)))
    for number in range(30):
        site.page(f"/{number}")
    together: list[int] = []
    running: list[int] = []

    def slowly() -> tuple[int, dict[str, str], bytes]:
        running.append(1)
        together.append(len(running))
        threading.Event().wait(0.02)
        running.pop()
        return 200, {}, b"<h1>A page</h1>"

    for number in range(30):
        site.answers[f"/{number}"] = slowly
    fetch(domains=site.url, CONCURRENT_REQUESTS_PER_DOMAIN=2)
    assert len(together) == 30
    assert max(together) <= 4

"""Which request is next."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.core.downloader import Slot
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.settings import Settings

from ragcrawler.config.defaults import project_settings
from ragcrawler.frontier.hosts.throttle import WAIT_SECONDS
from ragcrawler.run.crawl_frontier import frontier_of

Use = Callable[[Any, Any], None]


@pytest.fixture
def with_scheduler(tmp_path: Any) -> Callable[[Use], None]:
    """Gives a function the scheduler and the throttle of a crawl that has begun and fetches nothing."""

    def run(use: Use) -> None:
        class Looking(Spider):
            name = "looking"

            async def start(self) -> Any:
                use(self.crawler.engine.scheduler, frontier_of(self.crawler).throttle)
                self.crawler.engine.scheduler.close("looked")
                self.crawler.engine.scheduler.open(self)
                return
                yield

        settings = project_settings(
            OUTPUT_DIR=str(tmp_path),
            ITEM_PIPELINES={},
            FEEDS={},
            EXTENSIONS={},
            TWISTED_REACTOR_ENABLED=False,
            LOG_ENABLED=False,
        )
        runner = AsyncCrawlerRunner(Settings(dict(settings)))
        asyncio.run(_crawl(runner, Looking))

    return run


async def _crawl(runner: AsyncCrawlerRunner, spider: type[Spider]) -> None:
    await runner.crawl(spider)


def taken(scheduler: Any) -> list[str]:
    """The URLs that come out, in order."""
    urls = []
    while (request := scheduler.next_request()) is not None:
        urls.append(request.url)
    return urls


def test_sites_that_are_held_or_asked_for_their_rules_are_passed_over(with_scheduler: Any) -> None:
    seen: list[Any] = []

    def use(scheduler: Any, throttle: Any) -> None:
        for site in "abc":
            scheduler.enqueue_request(Request(f"https://{site}.org/"))
        throttle.hold("a.org", 60.0)
        throttle.begin_asking("b.org")
        seen.append(taken(scheduler))
        seen.append((len(scheduler), scheduler.has_pending_requests()))
        throttle.end_asking("b.org")
        seen.append(taken(scheduler))

    with_scheduler(use)
    assert seen == [["https://c.org/"], (2, True), ["https://b.org/"]]


def test_a_request_that_rests_comes_when_its_time_has_come(with_scheduler: Any) -> None:
    seen: list[Any] = []

    def use(scheduler: Any, throttle: Any) -> None:
        scheduler.enqueue_request(Request("https://a.org/later", meta={WAIT_SECONDS: 60.0}))
        scheduler.enqueue_request(Request("https://a.org/soon", meta={WAIT_SECONDS: 1e-9}))
        scheduler.enqueue_request(Request("https://a.org/now"))
        seen.append(set(taken(scheduler)))
        seen.append((len(scheduler), scheduler.has_pending_requests()))

    with_scheduler(use)
    assert seen == [{"https://a.org/soon", "https://a.org/now"}, (1, True)]


def test_sites_take_turns(with_scheduler: Any) -> None:
    seen: list[str] = []

    def use(scheduler: Any, throttle: Any) -> None:
        for number in range(3):
            for site in "ab":
                scheduler.enqueue_request(Request(f"https://{site}.org/{number}"))
        seen.extend(taken(scheduler))

    with_scheduler(use)
    assert seen == [f"https://{site}.org/{number}" for number in range(3) for site in "ab"]


@pytest.mark.parametrize(("in_flight", "urls"), [(2, ["https://a.org/next"]), (3, []), (4, [])])
def test_a_site_gets_no_more_requests_than_its_downloads_and_two_that_are_ready(
    with_scheduler: Any, in_flight: int, urls: list[str]
) -> None:
    seen: list[list[str]] = []

    def use(scheduler: Any, throttle: Any) -> None:
        scheduler.crawler.engine.downloader.slots["a.org"] = Slot(concurrency=1, delay=0.0)
        scheduler.enqueue_request(Request("https://a.org/next"))
        for _ in range(in_flight):
            throttle.begin_request("a.org")
        seen.append(taken(scheduler))

    with_scheduler(use)
    assert seen == [urls]


@pytest.mark.parametrize(("in_flight", "urls"), [(2, ["https://a.org/next"]), (3, []), (4, [])])
def test_the_frontier_gives_no_more_of_a_site_either(
    with_scheduler: Any, in_flight: int, urls: list[str]
) -> None:
    seen: list[list[str]] = []

    def use(scheduler: Any, throttle: Any) -> None:
        scheduler.crawler.engine.downloader.slots["a.org"] = Slot(concurrency=1, delay=0.0)
        scheduler.crawler.spider.request_for = lambda leased: Request(leased.target.url)
        frontier_of(scheduler.crawler).add_seeds(["https://a.org/next"], widens_scope=True)
        for _ in range(in_flight):
            throttle.begin_request("a.org")
        seen.append(taken(scheduler))
        for _ in range(in_flight):
            throttle.end_request("a.org")
        taken(scheduler)  # else the crawl would wait for it

    with_scheduler(use)
    assert seen == [urls]

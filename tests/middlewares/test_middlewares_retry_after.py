"""How long a site that asks for it is left alone."""

from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.statscollectors import MemoryStatsCollector

from ragcrawler.config.defaults import project_settings
from ragcrawler.middlewares.throttling.retry_after import RetryAfterMiddleware
from ragcrawler.run.crawl_frontier import frontier_of

REQUEST = Request("https://a.org/busy")


@pytest.fixture
def crawler() -> Any:
    made = Crawler(Spider, dict(project_settings(RETRY_AFTER_MAX_SECONDS=60)))
    made.spider = Spider("plain")
    made.stats = MemoryStatsCollector(made)
    made.engine = SimpleNamespace(downloader=SimpleNamespace(get_slot_key=lambda request: "a.org"))
    return made


@pytest.mark.parametrize(
    ("status", "header", "seconds"),
    [
        (429, "30", 30),
        (503, "30", 30),
        (429, "86400", 60),
        (429, "0", 0),
        (429, "soon", 0),
        (429, None, 0),
        (200, "30", 0),
        (500, "30", 0),
    ],
)
def test_a_site_is_held_as_long_as_it_asks_up_to_the_bound(
    crawler: Any, status: int, header: str | None, seconds: float
) -> None:
    response = Response(REQUEST.url, status, {"Retry-After": header} if header else None)
    assert RetryAfterMiddleware(crawler).process_response(REQUEST, response) is response
    assert frontier_of(crawler).throttle.held_seconds("a.org") == pytest.approx(seconds, abs=1)
    assert crawler.stats.get_value("ragcrawler/sites/held", 0) == (1 if seconds else 0)


def test_a_shorter_hold_does_not_end_a_longer_one(crawler: Any) -> None:
    middleware = RetryAfterMiddleware(crawler)
    for header in ("50", "10"):
        middleware.process_response(REQUEST, Response(REQUEST.url, 429, {"Retry-After": header}))
    assert frontier_of(crawler).throttle.held_seconds("a.org") == pytest.approx(50, abs=1)
    assert crawler.stats.get_value("ragcrawler/sites/held") == 1

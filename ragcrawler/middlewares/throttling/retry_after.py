"""Leaves a site alone for as long as it asks for."""

import logging
from datetime import UTC, datetime

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from ragcrawler.config.crawling.politeness import PolitenessConfig
from ragcrawler.run.crawl_frontier import frontier_of
from ragcrawler.services.http_time import http_date, retry_after_seconds

logger = logging.getLogger(__name__)

_ASKS_TO_WAIT = {429, 503}


class RetryAfterMiddleware:
    """Holds the whole site at a `Retry-After` with a 429 or 503, up to `RETRY_AFTER_MAX_SECONDS`."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._throttle = frontier_of(crawler).throttle
        self._max_seconds = PolitenessConfig.from_settings(crawler.settings).max_retry_after_seconds

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "RetryAfterMiddleware":
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Response:
        """Hold the site where it asks for that."""
        header = response.headers.get("Retry-After") if response.status in _ASKS_TO_WAIT else None
        seconds = retry_after_seconds(header.decode("latin-1"), _now(response)) if header else None
        if seconds:
            self._hold(str(self._crawler.engine.downloader.get_slot_key(request)), seconds)
        return response

    def _hold(self, site: str, asked_seconds: float) -> None:
        seconds = min(asked_seconds, self._max_seconds)
        if seconds > self._throttle.held_seconds(site):
            self._crawler.stats.inc_value("ragcrawler/sites/held")
            logger.info("%s asks to be left alone for %.0f s: %.0f s it is", site, asked_seconds, seconds)
            self._throttle.hold(site, seconds)


def _now(response: Response) -> datetime:
    """The time at the server, by whose clock it names a date; ours where it does not say."""
    date = response.headers.get("Date")
    return (http_date(date.decode("latin-1")) if date else None) or datetime.now(UTC)

"""Tries a failed page again, later each time."""

import random

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.retry import RetryMiddleware
from scrapy.http.request import NO_CALLBACK

from ragcrawler.config.crawling.politeness import PolitenessConfig
from ragcrawler.frontier.hosts.throttle import WAIT_SECONDS


class BackoffRetryMiddleware(RetryMiddleware):
    """Scrapy's own, with exponential back-off and full jitter: a random wait under a bound that doubles.

    Downloads that go past the scheduler are tried again at once.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "BackoffRetryMiddleware":
        middleware: BackoffRetryMiddleware = super().from_crawler(crawler)
        config = PolitenessConfig.from_settings(crawler.settings)
        middleware._base_seconds = config.backoff_base_seconds
        middleware._max_seconds = config.backoff_max_seconds
        return middleware

    _base_seconds: float
    _max_seconds: float

    def _retry(self, request: Request, reason: str | Exception | type[Exception]) -> Request | None:
        retry: Request | None = super()._retry(request, reason)
        if retry is not None and retry.callback is not NO_CALLBACK:
            bound = min(self._max_seconds, self._base_seconds * 2 ** (retry.meta["retry_times"] - 1))
            retry.meta[WAIT_SECONDS] = random.uniform(0, bound)  # noqa: S311 - no secret depends on it
        return retry

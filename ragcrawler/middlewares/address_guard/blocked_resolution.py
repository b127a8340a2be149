"""Gives a blocked host name its reason, before the request is retried."""

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import CannotResolveHostError

from ragcrawler.middlewares.address_guard.crawl_guard import crawl_guard
from ragcrawler.run.outcomes import RequestRefused


class BlockedResolutionMiddleware:
    """Reports a blocked private address as `private_address` instead of an unknown host.

    It runs closer to the download than the retry middleware.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "BlockedResolutionMiddleware":
        return cls(crawler)

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Leave unknown names alone.

        Raises:
            RequestRefused: the name was refused.
        """
        guard = crawl_guard(self._crawler)
        if isinstance(exception, CannotResolveHostError) and guard.has_refused(request.url):
            self._crawler.stats.inc_value("ragcrawler/guard/private_address")
            raise RequestRefused("private_address", "the name resolves to a private address") from exception

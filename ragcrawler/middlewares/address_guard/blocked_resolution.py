"""Gives a refused name its reason, before anybody tries it again."""

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import CannotResolveHostError

from ragcrawler.middlewares.address_guard.crawl_guard import crawl_guard
from ragcrawler.run.outcomes import RequestRefused


class BlockedResolutionMiddleware:
    """A name that resolves to a private address fails as if it were unknown; here is told which it was.

    It stands nearer to the download than the middleware that retries.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "BlockedResolutionMiddleware":
        """Make the middleware."""
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

"""The download handler for http and https, with and without a reactor."""

from typing import Any

from scrapy.crawler import Crawler

from ragcrawler.middlewares.bounded_headers import BoundedHeadersHandler
from ragcrawler.middlewares.crawl_guard import crawl_guard


class HttpHandler:
    """Chooses as Scrapy does; without a reactor aiohttp resolves names, and gets its guard here."""

    lazy = True

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any:
        """Make the handler."""
        if crawler.settings.getbool("TWISTED_REACTOR_ENABLED"):
            return BoundedHeadersHandler.from_crawler(crawler)
        return _guarded_aiohttp(crawler)


def _guarded_aiohttp(crawler: Crawler) -> Any:
    from scrapy.core.downloader.handlers._aiohttp import AiohttpDownloadHandler

    from ragcrawler.middlewares.guarded_names import GuardedAsyncioNames

    handler = AiohttpDownloadHandler.from_crawler(crawler)
    # There is no public way to Scrapy's connector.
    connector: Any = handler._session.connector
    connector._resolver = GuardedAsyncioNames(connector._resolver, crawl_guard(crawler))
    return handler

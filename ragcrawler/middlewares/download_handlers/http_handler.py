"""The download handler for http and https, with and without a reactor."""

from typing import Any

from scrapy.crawler import Crawler

from ragcrawler.middlewares.download_handlers.bounded_headers import BoundedHeadersHandler


class HttpHandler:
    """Chooses as Scrapy does."""

    lazy = True

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any:
        if crawler.settings.getbool("TWISTED_REACTOR_ENABLED"):
            return BoundedHeadersHandler.from_crawler(crawler)
        from ragcrawler.middlewares.download_handlers.aiohttp_handler import GuardedAiohttpHandler

        return GuardedAiohttpHandler.from_crawler(crawler)

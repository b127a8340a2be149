"""Scrapy's download handler for crawls without a reactor, with guarded names and URLs as they are."""

import asyncio
from typing import Any

from scrapy.core.downloader.handlers._aiohttp import AiohttpDownloadHandler
from scrapy.crawler import Crawler
from scrapy.http import Request, Response

from ragcrawler.middlewares.address_guard.crawl_guard import crawl_guard
from ragcrawler.middlewares.address_guard.guarded_resolver import GuardedAsyncioResolver
from ragcrawler.middlewares.throttling.downloader import seconds_to_send

_AS_IT_IS = "verbatim_url"


class GuardedAiohttpHandler(AiohttpDownloadHandler):
    """Puts the guard before the resolver of Scrapy's connector, to which there is no public way."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        connector: Any = self._session.connector
        connector._resolver = GuardedAsyncioResolver(connector._resolver, crawl_guard(crawler))

    async def download_request(self, request: Request) -> Response:
        """Download when the site's pace allows it; aiohttp would spell the URL anew."""
        while seconds := seconds_to_send(self.crawler, request):  # noqa: ASYNC110 - the turns are others', too
            await asyncio.sleep(seconds)
        was = request.meta.get(_AS_IT_IS)
        request.meta[_AS_IT_IS] = True
        try:
            return await super().download_request(request)
        finally:
            # It concerns this URL alone, and the meta goes on to that of a redirect.
            request.meta[_AS_IT_IS] = was

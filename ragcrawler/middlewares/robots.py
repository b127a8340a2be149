"""robots.txt, with one line in the log where it cannot be had."""

import asyncio
import logging
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http.request import NO_CALLBACK
from scrapy.robotstxt import RobotParser
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.misc import build_from_crawler

from ragcrawler.run.crawl_run import CrawlRun

logger = logging.getLogger(__name__)


class RobotsMiddleware(RobotsTxtMiddleware):
    """Scrapy's own, but a host that does not answer costs a line instead of a stack trace.

    Such a host has no rules then; its pages fail by themselves.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._answers: dict[str, asyncio.Future[RobotParser | None]] = {}
        CrawlRun.of(crawler).robots = self

    async def sitemaps(self, url: str) -> tuple[str, ...]:
        """The `Sitemap` lines of the robots.txt of a URL's host, as written there, each once."""
        parser = await self.robot_parser(Request(url))
        return () if parser is None else tuple(dict.fromkeys(parser.rp.sitemaps))

    async def robot_parser(self, request: Request) -> RobotParser | None:
        """The rules of the request's host, asked for once; None where there are none to be had."""
        parts = urlparse_cached(request)
        origin = f"{parts.scheme}://{parts.netloc}"
        if origin not in self._answers:
            self._answers[origin] = asyncio.ensure_future(self._fetch(f"{origin}/robots.txt"))
        # One of many waiting requests may be cancelled: the others still want the answer.
        return await asyncio.shield(self._answers[origin])

    async def _fetch(self, url: str) -> RobotParser | None:
        self._stats.inc_value("robotstxt/request_count")
        meta: dict[str, Any] = {"dont_obey_robotstxt": True}
        request = Request(url, priority=self.DOWNLOAD_PRIORITY, meta=meta, callback=NO_CALLBACK)
        try:
            response = await self.crawler.engine.download_async(request)
        except IgnoreRequest:
            return None
        except Exception as error:  # noqa: BLE001 - whatever the network does, the host then has no rules
            logger.warning("%s cannot be had, so there are no rules to obey: %s", url, error)
            return None
        self._stats.inc_value(f"robotstxt/response_status_count/{response.status}")
        return build_from_crawler(self._parserimpl, self.crawler, response.body)

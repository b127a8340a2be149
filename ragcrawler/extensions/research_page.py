"""Writes the page that shows in a browser how a research goes."""

import asyncio
import logging
from typing import Any

from scrapy import signals
from scrapy.crawler import Crawler

from ragcrawler.llm.protocol import LanguageModelError
from ragcrawler.run.research.research_run import ResearchRun

logger = logging.getLogger(__name__)

_REFRESH_SECONDS = 2.0


class ResearchPageExtension:
    """Has the state of a research noted every few seconds; the spider of researches switches it on."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._refreshing: asyncio.Task[None] | None = None
        crawler.signals.connect(self.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(self.spider_closed, signal=signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "ResearchPageExtension":
        """Make the extension."""
        return cls(crawler)

    def spider_opened(self) -> None:
        """Begin."""
        spider: Any = self.crawler.spider
        self._refreshing = asyncio.ensure_future(_refresh(spider.research))

    def spider_closed(self) -> None:
        """Stop."""
        if self._refreshing is not None:
            self._refreshing.cancel()


async def _refresh(research: ResearchRun) -> None:
    try:
        while True:
            await research.refresh_live()
            await asyncio.sleep(_REFRESH_SECONDS)
    except (OSError, LanguageModelError) as error:
        logger.warning("The page that shows how the research goes is written no more: %s", error)

"""What the pipelines have in common."""

import logging
from typing import Self

from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider

from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.run.losses import SHUTDOWN, PageSkipped
from ragcrawler.run.workshop import StartError

logger = logging.getLogger(__name__)


class Stage:
    """A pipeline of the crawl; opening the first one opens the workshop for all."""

    name = ""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.run = CrawlRun.of(crawler)
        self.workshop = self.run.workshop

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the pipeline."""
        return cls(crawler)

    async def open_spider(self) -> None:
        """Open the heavy parts.

        Raises:
            CloseSpider: one of them cannot be had; the reason is logged once.
        """
        try:
            await self.workshop.open()
        except StartError as error:
            if not self.run.refusal:
                self.run.refusal = str(error)
                logger.error("%s", error)
            raise CloseSpider("start_failed") from error

    async def close_spider(self) -> None:
        """Close the heavy parts; the first pipeline that comes here does it for all."""
        await self.workshop.close()

    def count(self, name: str, amount: int = 1) -> None:
        """Add to a stat of ours."""
        self.crawler.stats.inc_value(f"ragcrawler/{name}", amount)

    def refuse_when_stopped(self) -> None:
        """End the page here once the crawl was interrupted.

        Raises:
            PageSkipped: it was.
        """
        if not self.crawler.crawling:
            raise PageSkipped(SHUTDOWN)

"""The base class of the pipelines."""

from typing import Any, ClassVar, Self

from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider

from ragcrawler.bootstrap.start_error import StartError
from ragcrawler.chunking import ChunkValidation
from ragcrawler.items import Document
from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.run.outcomes import LEASE_LOST, SHUTDOWN, PageSkipped
from ragcrawler.run.resources import CrawlResources


class Stage:
    """A pipeline of the crawl; opening the first one opens the heavy parts for all.

    Attributes:
        name: of the stage, in the list of lost pages.
        takes: what it works on; items of other kinds go on untouched.
    """

    name = ""
    takes: ClassVar[type] = Document

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.run = CrawlRun.of(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_item(self, item: Any) -> Any:
        """Work on what the stage takes, unless it is known to be as it was.

        Raises:
            DropItem: the page ends here.
        """
        is_settled = isinstance(item, Document) and item.state != ""
        if is_settled or not isinstance(item, self.takes):
            return item
        return await self.count_for(item)

    async def count_for(self, item: Any) -> Any:
        """Work on an item, and count for its page."""
        with self.run.page_counts.counting(item.id):
            return await self.work(item)

    async def work(self, item: Any) -> Any:
        """Turn an item into what the next stage takes."""
        raise NotImplementedError

    @property
    def resources(self) -> CrawlResources:
        return self.run.resources

    async def open_spider(self) -> None:
        """Open the heavy parts.

        Raises:
            CloseSpider: one of them could not be opened.
        """
        try:
            await self.run.open()
        except StartError as error:
            raise CloseSpider("start_failed") from error

    async def close_spider(self) -> None:
        """Close the heavy parts; the first pipeline that comes here does it for all."""
        await self.run.close()

    def count(self, name: str, amount: int = 1) -> None:
        self.crawler.stats.inc_value(f"ragcrawler/{name}", amount)
        self.run.page_counts.add(name, amount)

    def count_validation(self, validation: ChunkValidation) -> None:
        """Add what the chunks of one document lost, and their sizes (specification 003)."""
        self.count("chunk/characters", validation.characters)
        self.count("chunk/uncovered_characters", validation.characters - validation.covered_characters)
        self.count("chunk/lost_headings", len(validation.lost_headings))
        self.count("chunk/with_code", validation.chunks_with_code)
        self.count("chunk/over_limit", len(validation.over_limit))
        self.count("chunk/under_minimum", len(validation.under_minimum))
        for level, headings in validation.headings.items():
            self.count(f"chunk/headings/h{level}", headings)
        if validation.chunks:
            self.crawler.stats.min_value("ragcrawler/chunk/tokens_min", validation.tokens_min)
            self.crawler.stats.max_value("ragcrawler/chunk/tokens_max", validation.tokens_max)

    def refuse_when_stopped(self) -> None:
        """End the page here once the crawl was interrupted.

        Raises:
            PageSkipped: it was.
        """
        if not self.crawler.crawling:
            raise PageSkipped(SHUTDOWN)

    def refuse_when_lost(self, url: str) -> None:
        """End a page here that is another worker's by now.

        Raises:
            PageSkipped: it is.
        """
        if not self.run.has_lease(url):
            raise PageSkipped(LEASE_LOST, f"{url} is another worker's by now")

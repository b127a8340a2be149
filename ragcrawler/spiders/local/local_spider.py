"""The base class of spiders that read this machine instead of the web."""

import asyncio
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, ClassVar, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.utils.asyncio import call_later

from ragcrawler.config.configuration import Configuration
from ragcrawler.frontier import Frontier, Target
from ragcrawler.frontier.filters.kept_out import KEPT_OUT
from ragcrawler.items import Page
from ragcrawler.run.crawl_options import CrawlOptions
from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.run.outcomes import UNCHANGED, PageFailed, PageSkipped
from ragcrawler.run.pages.foreign_items import page_url
from ragcrawler.run.reporting.failures import Failure
from ragcrawler.run.wake_engine import wake_engine
from ragcrawler.spiders.argument_table import Argument, shown_arguments

logger = logging.getLogger(__name__)

_MAX_PAGES = 64
_MAX_BYTES = 64 * 1024 * 1024
# Scrapy counts a page out only after all have heard that it has left, and no signal of its follows that.
_LATER_SECONDS = 0.01


class LocalSpider(Spider):
    """Yields pages without a request, as many at once as the pipelines can hold.

    Attributes:
        argument_table: of its `-a` arguments.
        frontier: its ledger knows what became of each page.
        options: what the crawl may do to the collection.
        shown_arguments: those that were given, without passwords.
        expected_pages: that there will be, skipped or lost records included; 0 where that is not known.
    """

    expected_pages = 0
    argument_table: ClassVar[tuple[Argument, ...]] = ()
    shown_arguments: Mapping[str, str]

    def __init__(self, crawler: Crawler, options: CrawlOptions) -> None:
        super().__init__()
        self.options = options
        self.frontier = Frontier(
            count=lambda name, amount: crawler.stats.inc_value(f"ragcrawler/{name}", amount)
        )
        self.max_bytes = Configuration.from_settings(crawler.settings).conversion.max_input_bytes
        self.fetched_at = datetime.now(UTC).isoformat(timespec="seconds")
        self._in_flight = PagesInFlight(_MAX_PAGES, _MAX_BYTES)
        for signal in (signals.item_scraped, signals.item_dropped, signals.item_error):
            crawler.signals.connect(self._left, signal=signal)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *_: Any, **kwargs: Any) -> Self:
        """Make the spider; `kwargs` are the `-a` arguments."""
        spider = cls.open(crawler, kwargs)
        spider.shown_arguments = shown_arguments(cls.argument_table, kwargs)
        spider._set_crawler(crawler)
        return spider

    @classmethod
    def open(cls, crawler: Crawler, arguments: Mapping[str, str]) -> Self:
        """The spider for these arguments.

        Raises:
            ValueError: one of them is invalid; says which, its value, and what would be right.
        """
        raise NotImplementedError

    async def ready(self, page: Page) -> Page:
        """The page, once there is room for it."""
        await self._in_flight.enter(page.final_url, len(page.body))
        return page

    def enter(self, url: str) -> bool:
        """Enter a page that is read here, and that the scheduler shall not ask for; whether it is new."""
        is_new = self.frontier.ledger.add(Target(url))
        if is_new:
            self.frontier.queue.park(Target(url))
        return is_new

    def refuses(self, url: str) -> bool:
        """Leave a page out that the collection keeps out; whether it does."""
        is_kept_out = self.frontier.kept_out.covers(url)
        if is_kept_out:
            self.skip(url, KEPT_OUT)
        return is_kept_out

    def skip(self, url: str, reason: str) -> None:
        """Leave a page out on purpose, and say so by its name."""
        self.enter(url)
        self.frontier.ledger.skip(url, reason)
        logger.info("Skipped %s: %s", url, reason)

    def lose(self, url: str, stage: str, reason: str, error: BaseException | str) -> None:
        """Enter a page as lost; where `stage` is "fetch", it may have hidden others."""
        self.enter(url)
        name = type(error).__name__ if isinstance(error, BaseException) else ""
        CrawlRun.of(self.crawler).lose(Failure(url, stage, reason, name, str(error)))

    def _left(self, item: object, exception: BaseException | None = None) -> None:
        url = page_url(item)
        if isinstance(exception, PageSkipped) and exception.reason != UNCHANGED:
            logger.info("Skipped %s: %s", url, exception)
        elif exception is not None and not isinstance(exception, PageSkipped | PageFailed):
            logger.info("Dropped %s: %s", url, exception)
        self._in_flight.leave(url)
        if self._in_flight.is_empty:
            call_later(_LATER_SECONDS, wake_engine, self.crawler)


class PagesInFlight:
    """Lets a page in when there is room for it.

    Args:
        max_pages: at once.
        max_bytes: of their bodies together; a bigger page goes in alone.
    """

    def __init__(self, max_pages: int, max_bytes: int) -> None:
        self._max_pages = max_pages
        self._max_bytes = max_bytes
        self._sizes: dict[str, int] = {}
        self._left = asyncio.Event()

    @property
    def is_empty(self) -> bool:
        """No page is in the pipelines."""
        return not self._sizes

    async def enter(self, url: str, size: int) -> None:
        """Wait for room, and take it."""
        while self._sizes and not self._has_room(size):
            self._left.clear()
            await self._left.wait()
        self._sizes[url] = size

    def leave(self, url: str) -> None:
        """The page has come out of the pipelines, in whatever way."""
        if self._sizes.pop(url, None) is not None:
            self._left.set()

    def _has_room(self, size: int) -> bool:
        return len(self._sizes) < self._max_pages and sum(self._sizes.values()) + size <= self._max_bytes

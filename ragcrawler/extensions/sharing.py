"""Signs of life of a worker that shares its crawl with others."""

from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from ragcrawler.frontier.states.sqlite import FrontierStateError
from ragcrawler.run.crawl_frontier import frontier_of
from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.run.saved_crawls.state_loss import StateLoss

if TYPE_CHECKING:
    from ragcrawler.run.sharing.shared_crawl import SharedCrawl


class SharingExtension:
    """Prolongs the leases of this worker, and lets go of the crawl when all else is closed."""

    def __init__(self, crawler: Crawler, shared_crawl: "SharedCrawl") -> None:
        self._shared_crawl = shared_crawl
        self._frontier = frontier_of(crawler)
        self._loss = StateLoss.of(crawler)
        self._beats = create_looping_call(self._beat)
        crawler.signals.connect(self.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(self.spider_closed, signal=signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the extension.

        Raises:
            NotConfigured: the crawl is one process.
        """
        shared_crawl = CrawlRun.of(crawler).shared_crawl
        if shared_crawl is None:
            raise NotConfigured  # a reason would be logged as a warning
        return cls(crawler, shared_crawl)

    def spider_opened(self) -> None:
        """Begin."""
        self._beats.start(self._shared_crawl.config.beat_seconds, now=True)

    def spider_closed(self) -> None:
        """Let the others leave, where this worker ended the crawl: the report is written."""
        if self._beats.running:
            self._beats.stop()
        try:
            self._shared_crawl.close()
        except FrontierStateError as error:
            self._loss.note(error)

    def _beat(self) -> None:
        if not self._shared_crawl.gives_beats:
            return
        try:
            self._frontier.queue.keep_leases(self._frontier.clock())
        except FrontierStateError as error:
            self._loss.note(error)

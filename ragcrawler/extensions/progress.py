"""Shows how a crawl goes: a live line on a terminal, a log line now and then elsewhere."""

import logging
import sys
import time
from typing import Any

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from ragcrawler.extensions.terminal import TerminalLine
from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.run.losses import UNCHANGED

logger = logging.getLogger(__name__)

_REFRESH_SECONDS = 0.5


class ProgressExtension:
    """Pages fetched and queued, chunks, rate and time."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.run = CrawlRun.of(crawler)
        if not self.run.configuration.progress:
            raise NotConfigured  # a reason would be logged as a warning
        self._terminal = TerminalLine() if sys.stderr.isatty() else None
        self._start_seconds = time.monotonic()
        self._calls: list[Any] = []
        crawler.signals.connect(self.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(self.spider_closed, signal=signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "ProgressExtension":
        """Make the extension.

        Raises:
            NotConfigured: it is switched off.
        """
        return cls(crawler)

    def spider_opened(self) -> None:
        """Begin to show."""
        self._start_seconds = time.monotonic()
        if self._terminal:
            self._terminal.start()
        seconds = _REFRESH_SECONDS if self._terminal else self.run.configuration.progress_seconds
        self._repeat(self._show, seconds)

    def spider_closed(self) -> None:
        """Show the last state and stop."""
        for call in self._calls:
            if call.running:
                call.stop()
        self._show()
        if self._terminal:
            self._terminal.stop()

    def line(self) -> str:
        """The state of the crawl in one line that fits into 80 columns."""
        pages = self.run.ledger.counts()
        stats = self.crawler.stats
        elapsed = time.monotonic() - self._start_seconds
        chunks = stats.get_value("ragcrawler/upsert/points", 0)
        chunks += stats.get_value("ragcrawler/documents/unchanged_chunks", 0)
        fetched = pages.fetched + pages.skipped.get(UNCHANGED, 0)
        rate = fetched / elapsed if elapsed > 1 else 0.0
        failed = sum(pages.failed.values())
        return (
            f"{fetched} pages fetched, {pages.open} queued, {chunks} chunks, {rate:.1f} pages/s, "
            f"{_clock(elapsed)}" + (f", {failed} failed" if failed else "")
        )

    def _repeat(self, call: Any, seconds: float) -> None:
        loop = create_looping_call(call)
        loop.start(seconds, now=False)
        self._calls.append(loop)

    def _show(self) -> None:
        if self._terminal:
            self._terminal.show(self.line())
        else:
            logger.info("%s", self.line())


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"

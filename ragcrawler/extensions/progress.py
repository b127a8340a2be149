"""Shows how a crawl goes: a live line and bars on a terminal, a log line now and then elsewhere."""

import logging
import sys
import time
from typing import Any

from rich.console import RenderableType
from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from ragcrawler.extensions.terminal import Bar, TerminalDisplay
from ragcrawler.frontier.states.records import UrlCounts
from ragcrawler.run.crawl_frontier import frontier_of
from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.run.outcomes import UNCHANGED
from ragcrawler.run.reporting.forecast import Forecast, Progress

logger = logging.getLogger(__name__)

_REFRESH_SECONDS = 0.5
_LOOK_SECONDS = 1.0
_FEWEST_PAGES = 10  # of which the chunks of a page are guessed
_LONGEST_IN_SECONDS = 95
_LONGEST_IN_MINUTES = 99


class ProgressExtension:
    """Pages, chunks, rate and time; and, once each, how fast the models are and what is left."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.run = CrawlRun.of(crawler)
        self.frontier = frontier_of(crawler)
        if not self.run.configuration.progress:
            raise NotConfigured  # a reason would be logged as a warning
        self._terminal = TerminalDisplay() if sys.stderr.isatty() else None
        self._start_seconds = time.monotonic()
        self._calls: list[Any] = []
        self._forecast = Forecast()
        self._told: set[str] = set()
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
        self._start_seconds = time.monotonic()
        self._forecast = Forecast(self.run.options.max_pages)
        if self._terminal:
            self._terminal.start()
        self._repeat(self._look, _LOOK_SECONDS)
        seconds = _REFRESH_SECONDS if self._terminal else self.run.configuration.progress_seconds
        self._repeat(self._show, seconds)

    def spider_closed(self) -> None:
        """Show the last state and stop; a worker whose crawl others ended knows no numbers any more."""
        for call in self._calls:
            if call.running:
                call.stop()
        if self.run.writes_report:
            self._show()
        if self._terminal:
            self._terminal.stop()

    def line(self) -> str:
        """The state of the crawl in one line that fits into 80 columns."""
        pages = self.frontier.counts()
        elapsed = time.monotonic() - self._start_seconds
        chunks = self._stored_chunks()
        fetched = pages.fetched + pages.skipped.get(UNCHANGED, 0)
        rate = fetched / elapsed if elapsed > 1 else 0.0
        failed = sum(pages.failed.values())
        queued = self._queued(pages)
        left = self._forecast.remaining() if queued else None
        return (
            f"{fetched} pages, {queued} queued, {chunks} chunks, {rate:.1f} pages/s, {_clock(elapsed)}"
            + (f", ~{_roughly(left.seconds)} left" if left else "")
            + (f", {failed} failed" if failed else "")
        )

    def bars(self) -> list[Bar]:
        """Documents that are done of those that are known; and summaries, where they are on.

        Documents are done in whatever way, summaries are those that were made now or before. In a crawl the
        total grows with what it finds.
        """
        pages = self.frontier.counts()
        done = pages.seen - pages.open
        documents = Bar("Documents", done, done + self._queued(pages))
        if self.run.configuration.summaries is None:
            return [documents]
        names = ("made", "known", "chunks")
        made, known, chunks = (self._stat(f"summarize/{name}") for name in names)
        return [documents, Bar("Summaries", made + known, chunks)]

    def _queued(self, pages: UrlCounts) -> int:
        """Pages that are still to come: known URLs within the bound of the crawl, or records of a file."""
        decided = pages.seen - pages.open
        expected = getattr(self.crawler.spider, "expected_pages", 0) - decided
        most = self.run.options.max_pages
        allowed = min(pages.open, max(most - pages.fetched, 0)) if most else pages.open
        return max(allowed, expected)

    def _look(self) -> None:
        """See how far the crawl is, and say what has become known."""
        pages = self.frontier.counts()
        fetched = pages.fetched + pages.skipped.get(UNCHANGED, 0)
        elapsed = time.monotonic() - self._start_seconds
        self._forecast.add(Progress(elapsed, self._queued(pages), fetched))
        speed = self.run.times.chunks_per_second()
        if speed is not None:
            self._tell_once("The models embed about %.3g chunks a second on this machine", speed)
        left = self._forecast.remaining()
        if left is not None and fetched >= _FEWEST_PAGES:
            chunks = self._stored_chunks() / fetched * left.pages
            self._tell_once(
                "About %d pages are left, with some %d chunks: about %s at the pace of now",
                left.pages,
                _two_digits(chunks),
                _roughly(left.seconds),
            )

    def _stored_chunks(self) -> int:
        """Of the pages that are done."""
        return self._stat("upsert/points") + self._stat("documents/unchanged_chunks")

    def _stat(self, name: str) -> int:
        return int(self.crawler.stats.get_value(f"ragcrawler/{name}", 0))

    def _tell_once(self, message: str, *values: object) -> None:
        if message not in self._told:
            self._told.add(message)
            logger.info(message, *values)

    def _repeat(self, call: Any, seconds: float) -> None:
        loop = create_looping_call(call)
        loop.start(seconds, now=False)
        self._calls.append(loop)

    def _of_spider(self) -> RenderableType:
        """What the spider itself shows of its work, where it does."""
        shown = getattr(self.crawler.spider, "terminal_status", None)
        return shown() if shown else ""

    def _show(self) -> None:
        if self._terminal:
            self._terminal.show(self.line(), self.bars(), self._of_spider())
        else:
            summaries = "".join(f", {bar.done}/{bar.total} summaries" for bar in self.bars()[1:])
            logger.info("%s%s", self.line(), summaries)


def _two_digits(number: float) -> int:
    """Rounded to two digits: 4873 is 4900."""
    return int(round(number, 2 - len(str(int(number)))))


def _roughly(seconds: float) -> str:
    """As exact as an estimate is."""
    if seconds < _LONGEST_IN_SECONDS:
        return f"{max(round(seconds, -1), 10):.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < _LONGEST_IN_MINUTES else f"{minutes / 60:.1f} h"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"

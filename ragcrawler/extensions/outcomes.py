"""Enters in the frontier what became of each page."""

import traceback
from collections.abc import Callable, Mapping
from typing import Any

from scrapy import signals
from scrapy.crawler import Crawler

from ragcrawler.frontier import Target
from ragcrawler.frontier.states.sqlite import FrontierStateError
from ragcrawler.items import Document, Page
from ragcrawler.run.crawl_frontier import frontier_of
from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.run.meta_keys import TARGET
from ragcrawler.run.outcomes import DISK_FULL, LEASE_LOST, SHUTDOWN, PageFailed, PageSkipped
from ragcrawler.run.pages.foreign_items import page_url
from ragcrawler.run.reporting.failures import Failure
from ragcrawler.run.saved_crawls.earlier_runs import note_state
from ragcrawler.run.saved_crawls.state_loss import StateLoss


class OutcomesExtension:
    """Listens to the signals that fire after the last pipeline, and to errors in the spider.

    Their item is the output of the pipelines for a scraped one and the input for the others; both know their
    URL. Items that are no pages are none of the ledger's business.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.run = CrawlRun.of(crawler)
        self.frontier = frontier_of(crawler)
        # A page that found no room on the disk is the next run's, where there can be one.
        self._interruptions = {SHUTDOWN, DISK_FULL} if self.run.saved_crawl else {SHUTDOWN}
        crawler.signals.connect(self.item_scraped, signal=signals.item_scraped)
        crawler.signals.connect(self.item_dropped, signal=signals.item_dropped)
        crawler.signals.connect(self.item_error, signal=signals.item_error)
        crawler.signals.connect(self.spider_error, signal=signals.spider_error)
        crawler.signals.connect(self.spider_idle, signal=signals.spider_idle)
        crawler.signals.connect(self.spider_closed, signal=signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "OutcomesExtension":
        return cls(crawler)

    def item_scraped(self, item: object) -> None:
        """A document is stored, or a page that no pipeline is there for."""
        if url := page_url(item):
            if isinstance(item, Document):
                note_state(self.frontier.state.notes, item)
            counts = self._counts(item)
            self._settle(counts, is_ended=self.frontier.effects.keep(url, counts))

    def item_dropped(self, item: object, exception: BaseException) -> None:
        """A page ended on the way, on purpose or not."""
        url, counts = page_url(item), self._counts(item)
        if not url:
            return
        reason = getattr(exception, "reason", "")
        if reason in {*self._interruptions, LEASE_LOST}:
            self.frontier.effects.abandon(url)
            self._settle(counts, is_ended=False)
            if reason == LEASE_LOST:
                self.frontier.effects.note_lost(url)
            return
        if isinstance(exception, PageFailed):
            failure = Failure(
                url=url,
                stage=exception.stage,
                reason=exception.reason,
                error_type=exception.error_type,
                message=str(exception),
                stack_trace=exception.stack_trace,
            )
            self._end(url, counts, lambda lease: self.run.lose(failure, lease))
            return
        reason = reason if isinstance(exception, PageSkipped) else "dropped"
        self._end(url, counts, lambda lease: self.frontier.ledger.skip(url, reason, lease))

    def item_error(self, item: object, failure: Any) -> None:
        """A pipeline raised what it should not have."""
        url = page_url(item)
        if url and not self._is_loss_of_state(failure):
            lost = _failure(url, "pipeline", failure)
            self._end(url, self._counts(item), lambda lease: self.run.lose(lost, lease))

    def spider_error(self, failure: Any, response: Any) -> None:
        """The spider broke on a response, or on the failure of a download."""
        request = getattr(response, "request", None)
        if request is not None and not self._is_loss_of_state(failure):
            lost = _failure(request.meta.get("url", request.url), "parse", failure)
            target = request.meta.get(TARGET, Target(lost.url))
            self.frontier.effects.while_held(target, lambda: self.run.lose(lost, target.lease))

    def spider_idle(self) -> None:
        """Nothing is left to fetch; a crawl that ends for another reason never comes here."""
        self.frontier.is_exhausted = True

    def spider_closed(self, reason: str) -> None:
        """Skip every URL that was found and not fetched, unless a later run can go on with them."""
        if self.run.shared_crawl is None or self.run.shared_crawl.role != "lost":
            self._close(reason if self.crawler.crawling else SHUTDOWN)
        self.run.failures.close()

    def _close(self, reason: str) -> None:
        saved, counts = self.run.saved_crawl, self.frontier.counts()
        is_over = saved is None or saved.is_over(reason, is_done=counts.open < counts.seen)
        try:
            self.frontier.close(reason, keeps_open=not is_over)
        except FrontierStateError as error:
            is_over = False
            StateLoss.of(self.crawler).note(error)
        finally:
            if saved is not None:
                saved.end(is_over=is_over)
        if self.run.writes_report:
            for url in self.frontier.named.unfinished:
                self.run.note_unfinished(url)

    def _end(self, url: str, counts: Mapping[str, int], decide: Callable[[int], None]) -> None:
        self._settle(counts, is_ended=self.frontier.effects.end(url, counts, decide))

    def _settle(self, counts: Mapping[str, int], *, is_ended: bool) -> None:
        """What was counted for a page that stays open is counted by the run that reads it again."""
        if is_ended:
            if points := counts.get("upsert/points"):
                self.run.activity.note("chunks", points)
            return
        for name, amount in counts.items():
            self.crawler.stats.inc_value(f"ragcrawler/{name}", -amount)
        if points := counts.get("upsert/points"):
            self.crawler.stats.inc_value("ragcrawler/upsert/unfinished", points)

    def _counts(self, item: object) -> Mapping[str, int]:
        return self.run.page_counts.pop(item.id) if isinstance(item, Page | Document) else {}

    def _is_loss_of_state(self, failure: Any) -> bool:
        """Whether it is the state that failed: the next run asks for the page, from what the state has."""
        if isinstance(failure.value, FrontierStateError):
            StateLoss.of(self.crawler).note(failure.value)
            return True
        return False


def _failure(url: str, stage: str, failure: Any) -> Failure:
    error = failure.value
    trace = "".join(traceback.format_exception(error))
    return Failure(url, stage, f"{stage}_error", type(error).__name__, str(error), trace)

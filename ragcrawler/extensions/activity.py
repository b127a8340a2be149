"""Enters in the run when and how fast its pages are done, for the report."""

import time

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.http import Response

from ragcrawler.items import Document
from ragcrawler.run.crawl_frontier import frontier_of
from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.run.meta_keys import RECEIVED
from ragcrawler.run.outcomes import DISK_FULL, SHUTDOWN
from ragcrawler.run.pages.foreign_items import page_url
from ragcrawler.run.reporting.activity import CrawlActivity
from ragcrawler.run.reporting.stat_rows import quality_band
from ragcrawler.run.reporting.trace import UrlOutcomes

_INTERRUPTIONS = {SHUTDOWN, DISK_FULL}
_DUPLICATES = {"duplicate_content", "near_duplicate"}


class ActivityExtension:
    """Listens to responses, to what becomes of URLs, and to the ends of pages."""

    def __init__(self, crawler: Crawler) -> None:
        run = CrawlRun.of(crawler)
        self.activity: CrawlActivity = run.activity
        frontier_of(crawler).ledger.observers.add(UrlOutcomes(run.folder, run.activity))
        crawler.signals.connect(self.response_downloaded, signal=signals.response_downloaded)
        crawler.signals.connect(self.item_scraped, signal=signals.item_scraped)
        crawler.signals.connect(self.item_dropped, signal=signals.item_dropped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "ActivityExtension":
        return cls(crawler)

    def response_downloaded(self, response: Response, request: Request) -> None:
        """A response has come from a site."""
        self.activity.statuses[str(response.status)] += 1
        request.meta[RECEIVED] = time.monotonic()

    def item_scraped(self, item: object, response: Response | None) -> None:
        """A document is stored, or a page that no pipeline is there for."""
        url = page_url(item)
        if not url:
            return
        self._end_page(url, response)
        if isinstance(item, Document) and item.state != "unchanged":
            self._note_document(item)

    def item_dropped(self, item: object, response: Response | None, exception: BaseException) -> None:
        """A page ended on the way; one that the crawl's end cut off is no page of this run."""
        url, reason = page_url(item), getattr(exception, "reason", "dropped")
        if not url or reason in _INTERRUPTIONS:
            return
        self._end_page(url, response)
        if reason in _DUPLICATES:
            self.activity.list_page("duplicates", url, str(exception).removeprefix(f"{url} "))

    def _note_document(self, document: Document) -> None:
        self.activity.note_sizes(chunk.token_count for chunk in document.chunks)
        if document.state in ("new", "changed"):
            self.activity.list_page(document.state, document.url, document.title)
        quality = document.metadata.quality
        if quality is not None and quality_band(quality) == "low":
            self.activity.list_page("hardly_found", document.url, document.title)

    def _end_page(self, url: str, response: Response | None) -> None:
        if response is None or response.request is None:
            return
        self.activity.page_bytes.add(len(response.body))
        received = response.meta.get(RECEIVED)
        if received is not None:
            wait = float(response.meta.get("download_latency") or 0.0)
            self.activity.note_duration(url, wait + time.monotonic() - received, wait)

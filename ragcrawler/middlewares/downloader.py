"""A downloader that lets go of its requests when the crawl is told to stop."""

from typing import Any

from scrapy import Request
from scrapy.core.downloader import Downloader
from scrapy.crawler import Crawler
from scrapy.utils.asyncio import create_looping_call
from twisted.internet.defer import Deferred

_LOOK_SECONDS = 0.5


class PromptDownloader(Downloader):
    """Scrapy's downloader, which would wait for every open download before it closes.

    A site that answers slowly, or a queue behind a long delay, would hold up an interrupted crawl for
    minutes. Scrapy has no signal for the beginning of a shutdown, hence the look at `crawler.crawling`.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._open: set[Deferred[Any]] = set()
        self._watch = create_looping_call(self._let_go_when_stopped)

    def fetch(self, request: Request) -> Deferred[Any]:  # type: ignore[override]  # the base is untyped
        """Download a request; fails with `CancelledError` when the crawl is stopped meanwhile."""
        if not self._watch.running:
            self._watch.start(_LOOK_SECONDS, now=False)
        download: Deferred[Any] = super().fetch(request)
        if not download.called:
            self._open.add(download)
            download.addBoth(self._forget, download)
        return download

    def close(self) -> None:
        """Stop watching and close."""
        if self._watch.running:
            self._watch.stop()
        super().close()

    def _forget(self, result: Any, download: Deferred[Any]) -> Any:
        self._open.discard(download)
        return result

    def _let_go_when_stopped(self) -> None:
        if self.crawler.crawling:
            return
        for download in list(self._open):
            download.cancel()

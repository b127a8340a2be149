"""A downloader that keeps to each site's pace, and lets go of its requests when the crawl is told to stop."""

from typing import Any

from scrapy import Request
from scrapy.core.downloader import Downloader, Slot
from scrapy.crawler import Crawler
from scrapy.utils.asyncio import call_later, create_looping_call
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from ragcrawler.frontier import LeaseLostError, Target
from ragcrawler.middlewares.throttling.throttled_slot import ThrottledSlot
from ragcrawler.run.crawl_frontier import frontier_of
from ragcrawler.run.meta_keys import TARGET
from ragcrawler.run.outcomes import LEASE_LOST, RequestRefused, SiteDeferred

_LOOK_SECONDS = 0.5
_NO_TARGET = Target("")


class PromptDownloader(Downloader):
    """Scrapy's downloader, which would wait for every open download before it closes.

    A site that answers slowly, or a queue behind a long delay, would hold up an interrupted crawl for
    minutes. Scrapy has no signal for the beginning of a shutdown, hence the look at `crawler.crawling`.

    A request whose site is held fails with `SiteDeferred` and goes back to the scheduler: here it
    would hold a slot that requests to other sites need.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._open: set[Deferred[Any]] = set()
        self._watch = create_looping_call(self._let_go_when_stopped)
        self._frontier = frontier_of(crawler)
        self._throttle = self._frontier.throttle
        self._throttle.when_held(self._put_back)

    def fetch(self, request: Request) -> Deferred[Any]:  # type: ignore[override]  # the base is untyped
        """Download a request; fails with `CancelledError` when the crawl is stopped meanwhile."""
        if not self._watch.running:
            self._watch.start(_LOOK_SECONDS, now=False)
        site = self.get_slot_key(request)
        slot = self.slots.get(site)
        self._throttle.begin_request(site, slot.delay if slot else self._delay)
        download: Deferred[Any] = super().fetch(request)
        self._open.add(download)
        download.addBoth(self._forget, download, site)
        return download

    def close(self) -> None:
        """Stop watching and close."""
        if self._watch.running:
            self._watch.stop()
        super().close()

    def _get_slot(self, request: Request) -> tuple[str, Slot]:  # type: ignore[override]  # likewise
        site = self.get_slot_key(request)
        if site not in self.slots:
            _, plain = super()._get_slot(request)
            self.slots[site] = ThrottledSlot(site, plain, self._throttle)
        return site, self.slots[site]

    def _process_queue(self, slot: Slot) -> None:
        """Send what may be sent now; of several processes that share a crawl, one has the site's turn."""
        if isinstance(slot, ThrottledSlot) and not slot.latercall and slot.queue:
            seconds = slot.seconds_to_turn() if slot.free_transfer_slots() > 0 else 0.0
            if seconds > 0:
                slot.latercall = call_later(seconds, self._latercall, slot)
                return
        super()._process_queue(slot)

    def seconds_to_send(self, request: Request) -> float:
        """How long a request whose connection is open still has to wait; 0.0: it is sent now.

        Raises:
            SiteDeferred: the site is held since the request left its queue.
            RequestRefused: another process asks for the page by now.
        """
        site = self.get_slot_key(request)
        if seconds := self._throttle.held_seconds(site):
            raise SiteDeferred(site, seconds)
        slot = self.slots.get(site)
        try:
            with self._frontier.while_leased(request.meta.get(TARGET, _NO_TARGET)):
                return slot.seconds_to_send() if isinstance(slot, ThrottledSlot) else 0.0
        except LeaseLostError as error:
            raise RequestRefused(LEASE_LOST) from error

    def _put_back(self, site: str, seconds: float) -> None:
        slot = self.slots.get(site)
        while slot and slot.queue:
            _, download = slot.queue.popleft()
            download.errback(Failure(SiteDeferred(site, seconds)))  # type: ignore[no-untyped-call]

    def _forget(self, result: Any, download: Deferred[Any], site: str) -> Any:
        self._open.discard(download)
        self._throttle.end_request(site)
        return result

    def _let_go_when_stopped(self) -> None:
        if self.crawler.crawling:
            return
        for download in list(self._open):
            download.cancel()


def note_sent(crawler: Crawler, request: Request) -> None:
    """Tell it that a request was written; see `ThrottledSlot.note_sent`."""
    if slot := _slot(crawler, request):
        slot.note_sent()


def note_answer(crawler: Crawler, request: Request, sent_at: float) -> None:
    """Tell it that the answer begins to a request that left by then; see `ThrottledSlot.note_answer`."""
    if slot := _slot(crawler, request):
        slot.note_answer(sent_at)


def seconds_to_send(crawler: Crawler, request: Request) -> float:
    """Ask the crawl's downloader, where it is ours; see `PromptDownloader.seconds_to_send`."""
    downloader = crawler.engine.downloader if crawler.engine else None
    return downloader.seconds_to_send(request) if isinstance(downloader, PromptDownloader) else 0.0


def _slot(crawler: Crawler, request: Request) -> ThrottledSlot | None:
    downloader = crawler.engine.downloader if crawler.engine else None
    slot = downloader.slots.get(downloader.get_slot_key(request)) if downloader else None
    return slot if isinstance(slot, ThrottledSlot) else None

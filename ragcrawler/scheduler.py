"""The crawl's queue. Delayed requests wait here, so that they hold no downloader slot."""

import heapq
import itertools
import time
from collections.abc import Iterable
from typing import Any

from scrapy import Request
from scrapy.core.scheduler import Scheduler
from scrapy.crawler import Crawler
from scrapy.pqueues import DownloaderAwarePriorityQueue, DownloaderInterface
from scrapy.utils.asyncio import call_later
from twisted.internet.defer import Deferred

from ragcrawler.frontier.hosts.throttle import WAIT_SECONDS
from ragcrawler.frontier.states.sqlite import FrontierStateError
from ragcrawler.frontier.target_queue import POLL_SECONDS
from ragcrawler.run.crawl_frontier import frontier_of
from ragcrawler.run.meta_keys import TARGET
from ragcrawler.run.saved_crawls.state_loss import StateLoss
from ragcrawler.run.wake_engine import wake_engine

# The downloader's own queue of a site must never be empty while there is work.
_READY_REQUESTS = 2
# A timer may be early by some milliseconds, and would find nothing to do.
_LATER_SECONDS = 0.005


class _ReadySites(DownloaderInterface):
    """Only sites that may be asked now, and whose downloads are not as many as they may be.

    Scrapy counts the requests that have passed the middlewares. Dozens leave the queue before the first of
    them has: a site would get them all at once.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._throttle = frontier_of(crawler).throttle

    def is_ready(self, site: str) -> bool:
        """Whether a request to a host may leave the queue."""
        return self._throttle.is_ready(site) and self._throttle.in_flight(site) < self._limit(site)

    def stats(self, possible_slots: Iterable[str]) -> list[tuple[int, str]]:
        return [
            (active, site)
            for active, site in super().stats(possible_slots)
            if self._throttle.is_ready(site) and active < self._limit(site)
        ]

    def _active_downloads(self, slot: str) -> int:
        return self._throttle.in_flight(slot)

    def _limit(self, site: str) -> float:
        slot = self.downloader.slots.get(site)
        return slot.concurrency + _READY_REQUESTS if slot else float("inf")


class PoliteQueue(DownloaderAwarePriorityQueue):
    """Scrapy's queue, which takes turns between sites; those that are held are passed over."""

    def __init__(self, crawler: Crawler, *arguments: Any, **named: Any) -> None:
        super().__init__(crawler, *arguments, **named)
        self._downloader_interface = _ReadySites(crawler)


class PoliteScheduler(Scheduler):
    """Takes targets from the frontier, one at a time; only requests that came back wait here.

    Those are what middlewares return: retries, redirects, requests whose site is held. One whose `meta` has
    `wait_seconds` waits that long before it is queued.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._delayed: list[tuple[float, int, Request]] = []
        self._numbers = itertools.count()
        self._is_broken = False
        self._is_polling = False
        assert self.crawler is not None  # noqa: S101 - Scrapy's type allows for none
        self._frontier = frontier_of(self.crawler)
        self._sites = _ReadySites(self.crawler)
        # A site that is free again brings no event of its own; Scrapy looks every five seconds by itself.
        self._frontier.throttle.when_held(lambda _, seconds: self._poll_in(seconds))

    def has_pending_requests(self) -> bool:
        """Whether the crawl goes on."""
        if self._delayed or super().has_pending_requests():
            return True
        return not self._frontier.queue.is_over(self._frontier.clock())

    def __len__(self) -> int:
        return len(self._delayed) + super().__len__() + len(self._frontier.queue)

    def enqueue_request(self, request: Request) -> bool:
        """Queue a request, at once or after its delay."""
        seconds = request.meta.pop(WAIT_SECONDS, 0.0)
        if not seconds:
            return super().enqueue_request(request)
        if TARGET in request.meta:
            until = self._frontier.clock() + seconds
            self._frontier.queue.delay(request.meta[TARGET], until, request.meta.get("retry_times", 0))
        self._delay(request, seconds)
        return True

    def next_request(self) -> Request | None:
        """The next request that may be made now."""
        while self._delayed and self._delayed[0][0] <= time.monotonic():
            super().enqueue_request(heapq.heappop(self._delayed)[2])
        request = super().next_request()
        if request is not None or self._is_broken:
            return request
        try:
            return self._next_of_frontier()
        except FrontierStateError as error:
            self._is_broken = True
            StateLoss.of(self.crawler).note(error)
            return None

    def close(self, reason: str) -> Deferred[None] | None:
        """Leave delayed requests to a queue on disk, where there is one."""
        while self._delayed:
            super().enqueue_request(heapq.heappop(self._delayed)[2])
        return super().close(reason)

    def _next_of_frontier(self) -> Request | None:
        while (leased := self._frontier.queue.next(self._frontier.clock(), self._sites.is_ready)) is not None:
            if leased.is_deadly:
                self.crawler.spider.give_up(leased)  # type: ignore[union-attr]
                continue
            request: Request = self.crawler.spider.request_for(leased)  # type: ignore[union-attr]
            seconds = leased.wait_until - self._frontier.clock()
            if seconds <= 0:
                return request
            self._delay(request, seconds)
        if self._frontier.queue.is_shared and not self._is_polling:
            self._is_polling = True
            self._poll_in(POLL_SECONDS)
        return None

    def _delay(self, request: Request, seconds: float) -> None:
        heapq.heappush(self._delayed, (time.monotonic() + seconds, next(self._numbers), request))
        self._poll_in(seconds)

    def _poll_in(self, seconds: float) -> None:
        call_later(seconds + _LATER_SECONDS, self._poll)

    def _poll(self) -> None:
        self._is_polling = False
        wake_engine(self.crawler)

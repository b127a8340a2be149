"""A download slot that keeps to what its site asked for."""

import random
from time import monotonic

from scrapy.core.downloader import Slot

from ragcrawler.frontier.hosts.throttle import HostThrottle


class ThrottledSlot(Slot):
    """Scrapy's slot, with the site's least delay and holds.

    Scrapy draws the random part of a delay anew each time it looks, and waits on when the new one is longer:
    the delays come out longer than they are set, the more so the more they vary. Here it is drawn once a
    request, and down to half the jitter only: connections take their time to open, so that two requests may
    arrive closer together than they were sent.

    Args:
        site: the slot's key.
        plain: the slot that Scrapy made, with its settings.
        throttle: of all hosts.
    """

    def __init__(self, site: str, plain: Slot, throttle: HostThrottle) -> None:
        super().__init__(plain.concurrency, plain.delay, plain.jitter)
        self._site = site
        self._throttle = throttle
        self._drawn_for = -1.0
        self._variation = 0.0
        self._turn_seconds = 0.0

    def download_delay(self) -> float:
        """Seconds from the last request to the next."""
        if self._drawn_for != self.lastseen:
            # Before the second request the longest delay: the first has to find its way.
            least = self.jitter if self._drawn_for == 0 else -self.jitter / 2
            self._drawn_for = self.lastseen
            self._variation = random.uniform(least, self.jitter)  # noqa: S311 - no secret depends on it
        held_seconds = self._throttle.held_seconds(self._site)
        return max(
            self.delay * (1 + self._variation),
            self._throttle.delay_seconds(self._site),
            monotonic() - self.lastseen + held_seconds if held_seconds else 0.0,
        )

    def seconds_to_turn(self) -> float:
        """How long other processes that crawl the site too make this one wait, beyond its own delay."""
        delay = self.download_delay()
        if not delay or self.lastseen + delay > monotonic():
            return 0.0
        self._turn_seconds = delay
        return self._throttle.take_turn(self._site, delay)

    def mark_sent(self) -> None:
        """Count the delay from now: what Scrapy noted is when it decided to send, turns of the loop ago."""
        self.lastseen = self._drawn_for = monotonic()
        if self._turn_seconds:
            self._throttle.begin_turn(self._site, self._turn_seconds)

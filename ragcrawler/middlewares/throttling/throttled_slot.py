"""A download slot that keeps to what its site asked for."""

import random
from collections import deque
from collections.abc import Callable
from time import monotonic

from scrapy.core.downloader import Slot

from ragcrawler.frontier.hosts.throttle import HostThrottle

_LATENCIES = 12
_NEVER = float("-inf")
# A lateness under this part of the delay is not worth a call of the shared state.
_TOLD_FROM = 0.02
# A request that was kept waiting moves those behind it by that part of its wait: what a slow connection has
# delayed once is not waited for ever after, and what varies from one to the next costs no time.
_PASSED_ON = 0.1


class ThrottledSlot(Slot):
    """Scrapy's slot, with the site's least delay and holds.

    Scrapy draws the random part of a delay anew each time it looks, and waits on when the new one is longer:
    the delays come out longer than they are set, the more so the more they vary. Here it is drawn once a
    request.

    A request that has left the queue finds its connection first, which takes one time and another time not.
    So the least delay, that with half the jitter, is kept once more when it is sent. What is sent may still
    lie about on a busy machine, ours or the site's: where the answer comes late, and the next request has not
    left yet, the delay counts from as much later.

    Args:
        site: the slot's key.
        plain: the slot that Scrapy made, with its settings.
        throttle: of all hosts.
        clock: that by which requests leave the queue.
    """

    def __init__(
        self, site: str, plain: Slot, throttle: HostThrottle, clock: Callable[[], float] | None = None
    ) -> None:
        super().__init__(plain.concurrency, plain.delay, plain.jitter)
        self._site = site
        self._throttle = throttle
        self._clock = clock or monotonic
        self._drawn_for = -1.0
        self._variation = 0.0
        self._sent_at = _NEVER
        self._latencies: deque[float] = deque(maxlen=_LATENCIES)

    def download_delay(self) -> float:
        """Seconds from the last request to the next."""
        if self._drawn_for != self.lastseen:
            self._drawn_for = self.lastseen
            self._variation = random.uniform(-self.jitter / 2, self.jitter)  # noqa: S311 - no secret
        held_seconds = self._throttle.held_seconds(self._site)
        return max(
            self.delay * (1 + self._variation),
            self._throttle.delay_seconds(self._site),
            self._clock() - self.lastseen + held_seconds if held_seconds else 0.0,
        )

    def seconds_to_turn(self) -> float:
        """How long other processes that crawl the site too make this one wait, beyond its own delay."""
        delay = self.download_delay()
        if not delay or self.lastseen + delay > self._clock():
            return 0.0
        return self._throttle.take_turn(self._site, delay)

    def seconds_to_send(self) -> float:
        """How long a request that can be sent waits for the last ones, of all processes; 0.0: it is sent."""
        least = self._least_delay()
        if least <= 0:
            return 0.0
        seconds = self._sent_at + least - self._clock()
        if seconds > 0:
            self.lastseen = self._drawn_for = self.lastseen + _PASSED_ON * seconds
            return seconds
        pace = max(self.delay * (1 + self.jitter / 4), least)  # what is drawn, in the mean
        seconds = self._throttle.begin_turn(self._site, least, pace)
        if seconds <= 0:
            self._sent_at = self._clock()
        return seconds

    def note_sent(self) -> None:
        """The request whose turn it was is written only now."""
        if self._sent_at > _NEVER:
            self._postpone(self._clock() - self._sent_at)

    def note_answer(self, sent_at: float) -> None:
        """The answer begins to a request that left by then, by the clock."""
        now = self._clock()
        usual = sorted(self._latencies)[len(self._latencies) // 4] if self._latencies else 0.0
        self._latencies.append(now - sent_at)
        late = now - sent_at - usual
        if late > 0 and self._sent_at <= sent_at and self._least_delay() > 0:
            self._postpone(late)

    def _postpone(self, seconds: float) -> None:
        self._sent_at += seconds
        if seconds > _TOLD_FROM * self._least_delay():
            self._throttle.postpone_turn(self._site, self._clock() - self._sent_at)

    def _least_delay(self) -> float:
        return max(self.delay * (1 - self.jitter / 2), self._throttle.delay_seconds(self._site))

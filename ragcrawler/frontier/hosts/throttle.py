"""Limits the rate of requests to each host."""

import time
from collections.abc import Callable, Iterable

from ragcrawler.frontier.states.protocol import HostRow, HostRows

WAIT_SECONDS = "wait_seconds"
"""`meta` key: how long a request rests before it is queued."""


# A clock that was set back must not hold a host for long.
_IN_FLIGHT = 10


class HostThrottle:
    """By download slot, that is by host name: the least delay, and holds.

    The downloader forgets a slot that was not used for a minute; what a host asked for is remembered here.

    Args:
        hosts: keep it.
        clock: seconds that only grow.
    """

    def __init__(self, hosts: HostRows, clock: Callable[[], float] = time.monotonic) -> None:
        self._hosts = hosts
        self._clock = clock
        self._on_hold: list[Callable[[str, float], None]] = []
        self._asked: set[str] = set()

    def when_held(self, listener: Callable[[str, float], None]) -> None:
        """Call `listener(site, seconds)` at every hold."""
        self._on_hold.append(listener)

    def delay_seconds(self, site: str) -> float:
        """Least time between two requests, 0.0 where the host asked for nothing."""
        return self._hosts.get(site).delay_seconds

    def set_delay(self, site: str, seconds: float) -> None:
        """Leave that much time between two requests from now on; 0.0 takes it back."""
        self._hosts.set_delay(site, seconds)

    def held_until(self, site: str) -> float:
        """By the clock; in the past where nothing holds the host."""
        return self._hosts.get(site).held_until

    def held_seconds(self, site: str) -> float:
        """How long the host is still held, 0.0 where it is not."""
        return max(0.0, self.held_until(site) - self._clock())

    def hold(self, site: str, seconds: float) -> None:
        """Ask the host for nothing in that time; a hold is never shortened."""
        if self._hosts.hold(site, self._clock() + seconds):
            for listener in self._on_hold:
                listener(site, seconds)

    def begin_request(self, site: str, delay_seconds: float = 0.0) -> None:
        """A request has left the queue; it is sent after those that are on their way.

        Args:
            site: that is asked.
            delay_seconds: between two requests: a later run waits for so long after the last one.
        """
        row = self._hosts.get(site)
        delay = max(delay_seconds, row.delay_seconds)
        self._hosts.begin_request(site, self._clock() + delay * (row.in_flight + 1))

    def resume(self, hosts: Iterable[tuple[str, HostRow]], delay_seconds: float) -> None:
        """Ask no host that was asked before the break sooner than it would have been without one."""
        now = self._clock()
        for site, row in hosts:
            if row.next_at:
                longest = max(delay_seconds, row.delay_seconds)
                self._hosts.hold(site, max(now + longest, min(row.next_at, now + longest * _IN_FLIGHT)))

    def end_request(self, site: str) -> None:
        """It has come back, with a response or without."""
        self._hosts.end_request(site)

    def take_turn(self, site: str, delay_seconds: float) -> float:
        """Seconds until this process may send the next request; 0.0 where it may now, and no other."""
        return self._hosts.take_turn(site, delay_seconds)

    def begin_turn(self, site: str, delay_seconds: float, pace_seconds: float) -> float:
        """The request of a turn can be sent: 0.0 where it is now, else the seconds to wait still."""
        return self._hosts.begin_turn(site, delay_seconds, pace_seconds)

    def postpone_turn(self, site: str, seconds_ago: float) -> None:
        """The last request seems to have arrived so many seconds ago only."""
        self._hosts.postpone_turn(site, seconds_ago)

    def in_flight(self, site: str) -> int:
        """How many requests have left the queue, those included that are still among the middlewares."""
        return self._hosts.get(site).in_flight

    def begin_asking(self, site: str) -> None:
        """The host is asked for its robots.txt: its pages stay where they are meanwhile."""
        self._asked.add(site)

    def end_asking(self, site: str) -> None:
        """It answered, or did not."""
        self._asked.discard(site)

    def is_ready(self, site: str) -> bool:
        """Whether a page of the host may leave the queue."""
        return site not in self._asked and not self.held_seconds(site)

    def give_up(self, site: str) -> None:
        """Ask the host for nothing any more."""
        self._hosts.give_up(site)

    def is_given_up(self, site: str) -> bool:
        """Whether it was."""
        return self._hosts.get(site).is_given_up

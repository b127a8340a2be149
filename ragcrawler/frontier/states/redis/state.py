"""A frontier's state in Redis, which any number of processes on any number of machines share."""

import time
from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from ragcrawler.frontier.states.records import LeaseTerms, Polled
from ragcrawler.frontier.states.redis.entries import packed_key
from ragcrawler.frontier.states.redis.hosts import RedisHosts
from ragcrawler.frontier.states.redis.notes import RedisNotes
from ragcrawler.frontier.states.redis.server import RedisAddress, RedisServer
from ragcrawler.frontier.states.redis.side_queue import RedisSideQueue
from ragcrawler.frontier.states.redis.urls import RedisUrls
from ragcrawler.frontier.states.redis.workers import RedisWorkers

_CLOCK_SECONDS = 60.0
_FORGOTTEN_AT_ONCE = 500


class RedisState:
    """See `FrontierState`. Each call is one script, which Redis runs alone; there is no wider transaction.

    Args:
        address: of the server, and the name of the crawl.
        pause: sleeps while the server is away.

    Attributes:
        crawl: its name.
        workers: of the crawl.

    Raises:
        RedisStateError: the server cannot be used; every method raises it where Redis was away for too long.
    """

    def __init__(self, address: RedisAddress, pause: Callable[[float], None] = time.sleep) -> None:
        self._server = RedisServer(address, pause)
        self.crawl = address.crawl
        self.urls = RedisUrls(self._server)
        self.hosts = RedisHosts(self._server, self.clock)
        self.notes = RedisNotes(self._server)
        self.side_queue = RedisSideQueue(self._server, self.clock)
        self.workers = RedisWorkers(self._server, self.clock)
        self._offset = 0.0
        self._asked_at = float("-inf")

    def transaction(self, key: int = 0, lease: int = 0) -> AbstractContextManager[None]:
        """The calls within are applied one by one: after a break the page is asked for again.

        Writes that need no answer are applied together with the next call that has one, or at the end. Each
        call looks whether the lease is still there.
        """
        return self._server.transaction(packed_key(key), lease)

    def poll(self, terms: LeaseTerms, left_out: Iterable[str]) -> Polled:
        """See `SharedState`. What it costs does not grow with the number of hosts."""
        numbers = (terms.seconds, terms.most, terms.of_host, terms.ahead_seconds, terms.delay_seconds)
        side_sites, *found = self._server.call("poll", *numbers, *left_out)
        records = self.urls.leased(found[0::4], found[1::4], found[2::4])
        for record, at in zip(records, found[3::4], strict=True):
            self.hosts.add_turn(record.site, float(at))
        return Polled(records, self.side_queue.with_sites(side_sites))

    def is_over(self) -> bool:
        """See `FrontierState`."""
        return self.workers.is_over()

    def keep_leases(self, until: float) -> Collection[int]:
        """See `FrontierState`."""
        self.workers.beat()
        self.side_queue.renew_own(until)
        return self.urls.renew_own(until)

    def let_go(self, key: int | None = None) -> None:
        """See `FrontierState`."""
        self.urls.let_go(key)
        if key is None:
            self.side_queue.let_go()

    def reclaim(self) -> int:
        """Take over from workers that all are dead: their leases end; how many of records."""
        self.side_queue.reclaim()
        return self.urls.reclaim()

    def release_own(self) -> None:
        """Give back what this worker leases."""
        self.urls.release_own()
        self.side_queue.release_own()

    def is_used(self) -> bool:
        """Whether a crawl has entered something."""
        return bool(self.urls.counts().seen)

    def clock(self) -> float:
        """Seconds by the clock of Redis, which all workers have in common; asked for once a minute."""
        now = time.monotonic()
        if now - self._asked_at > _CLOCK_SECONDS:
            seconds, microseconds = self._server.do(lambda redis: redis.time())
            answered = time.monotonic()
            self._offset = seconds + microseconds / 1e6 - (now + answered) / 2
            self._asked_at = now = answered
        return now + self._offset

    def forget(self) -> None:
        """Delete all that is known of this crawl, but that it has ended."""
        pattern, end = f"{self._server.prefix}*", self._server.key("end").encode()
        found = self._server.do(lambda redis: list(redis.scan_iter(pattern, count=_FORGOTTEN_AT_ONCE)))
        found = [name for name in found if name != end]
        for start in range(0, len(found), _FORGOTTEN_AT_ONCE):
            self._server.do(partial(_unlink, found[start : start + _FORGOTTEN_AT_ONCE]))

    def close(self) -> None:
        """Close the connections; Redis has all."""
        self._server.close()


def _unlink(names: list[bytes], redis: Any) -> None:
    redis.unlink(*names)

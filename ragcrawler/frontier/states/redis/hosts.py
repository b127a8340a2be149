"""The rows of hosts in Redis."""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import replace

from ragcrawler.frontier.states.protocol import HostRow
from ragcrawler.frontier.states.redis.recent import Recent
from ragcrawler.frontier.states.redis.server import RedisServer

# Of `HostRow`, but for the requests in flight: each worker counts its own.
_FIELDS = ("turn_at", "delay_seconds", "held_until", "is_given_up", "failures", "pauses")
_MOST_TURNS = 64


class RedisHosts:
    """See `HostRows`. A row that nobody wrote to for 30 days is forgotten.

    Args:
        server: of the crawl.
        now: by the clock of Redis.
        clock: seconds that only grow.
    """

    def __init__(
        self,
        server: RedisServer,
        now: Callable[[], float],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._server = server
        self._now = now
        self._clock = clock
        self._in_flight: Counter[str] = Counter()
        self._turns: dict[str, deque[float]] = {}
        self._known_breaks = server.breaks
        self._back_at = float("-inf")
        self._rows: Recent[HostRow] = server.recent()

    def get(self, site: str) -> HostRow:
        """See `HostRows`. What others change is seen a moment later; `take_turn` sees it at once."""
        row = self._rows.get(site, lambda: self._row(site))
        return replace(row, in_flight=self._in_flight[site]) if self._in_flight else row

    def _row(self, site: str) -> HostRow:
        values = self._server.read(f"host:{site}", lambda redis, name: redis.hmget(name, _FIELDS))
        next_at, delay, held_until, is_given_up, failures, pauses = (float(value or 0) for value in values)
        return HostRow(
            next_at=next_at,
            delay_seconds=delay,
            held_until=held_until,
            is_given_up=bool(is_given_up),
            failures=int(failures),
            pauses=int(pauses),
        )

    def set_delay(self, site: str, seconds: float) -> None:
        """See `HostRows`."""
        self._rows.drop(site)
        self._server.call("host_set", site, "delay_seconds", seconds)

    def hold(self, site: str, until: float) -> bool:
        """See `HostRows`."""
        self._rows.drop(site)
        return bool(self._server.call("host_raise", site, "held_until", until))

    def give_up(self, site: str) -> None:
        """See `HostRows`."""
        self._rows.drop(site)
        self._server.call("host_set", site, "is_given_up", 1)

    def begin_request(self, site: str, next_at: float = 0.0) -> None:  # noqa: ARG002 - its turn says it
        """See `HostRows`."""
        self._in_flight[site] += 1

    def end_request(self, site: str) -> None:
        """See `HostRows`."""
        self._in_flight[site] -= 1
        if self._in_flight[site] <= 0:
            del self._in_flight[site]

    def set_failures(self, site: str, failures: int, pauses: int) -> None:
        """See `HostRows`."""
        self._rows.drop(site)
        self._server.call("host_set", site, "failures", failures, "pauses", pauses)

    def rows(self) -> Iterator[tuple[str, HostRow]]:
        """See `HostRows`."""
        return ((site, self._row(site)) for site in sorted(self._server.names("host:")))

    def restore(self, site: str, row: HostRow) -> None:
        """See `HostRows`."""
        values = (
            row.next_at,
            row.delay_seconds,
            row.held_until,
            int(row.is_given_up),
            row.failures,
            row.pauses,
        )
        fields = (each for pair in zip(_FIELDS, values, strict=True) for each in pair)
        self._server.call("host_set", site, *fields)

    def add_turn(self, site: str, at: float) -> None:
        """A turn is this worker's already, with a URL that it leased; by the clock of Redis."""
        self._turns.setdefault(site, deque(maxlen=_MOST_TURNS)).append(at)

    def take_turn(self, site: str, delay_seconds: float) -> float:
        """See `HostRows`; by the clock of Redis. One that came with a lease goes first."""
        turns = self._turns.get(site)
        if not turns:
            return self._after_break("host_turn", site, delay_seconds)
        left = turns[0] - self._now()
        if left > 0:
            return left
        turns.popleft()
        if not turns:
            del self._turns[site]
        return 0.0

    def begin_turn(self, site: str, delay_seconds: float, pace_seconds: float) -> float:
        """See `HostRows`; by the clock of Redis."""
        return self._after_break("host_sent", site, delay_seconds, pace_seconds)

    def postpone_turn(self, site: str, seconds_ago: float) -> None:
        """See `HostRows`; does nothing where another request was sent since."""
        self._server.call("host_late", site, seconds_ago)

    def _after_break(self, script: str, site: str, delay_seconds: float, *more: float) -> float:
        """Ask for a turn; a server that was killed may have forgotten those of its last second."""
        left = float(self._server.call(script, site, delay_seconds, *more))
        if self._known_breaks != self._server.breaks:
            self._known_breaks = self._server.breaks
            self._back_at = self._clock()
        return max(left, self._back_at + delay_seconds - self._clock(), 0.0)

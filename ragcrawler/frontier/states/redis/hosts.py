"""The rows of hosts in Redis."""

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace

from ragcrawler.frontier.states.protocol import HostRow
from ragcrawler.frontier.states.redis.recent import Recent
from ragcrawler.frontier.states.redis.server import RedisServer


class RedisHosts:
    """See `HostRows`. A row that nobody wrote to for 30 days is forgotten.

    Args:
        server: of the crawl.
        clock: seconds that only grow.
    """

    def __init__(self, server: RedisServer, clock: Callable[[], float] = time.monotonic) -> None:
        self._server = server
        self._clock = clock
        self._known_breaks = server.breaks
        self._back_at = float("-inf")
        self._rows: Recent[HostRow] = server.recent()

    def get(self, site: str) -> HostRow:
        """See `HostRows`. What others change is seen a moment later; `take_turn` sees it at once."""
        return self._rows.get(site, lambda: self._row(site))

    def _row(self, site: str) -> HostRow:
        in_flight, next_at, delay, held_until, is_given_up, failures, pauses = self._server.call(
            "host_get", site
        )
        return HostRow(
            next_at=float(next_at),
            delay_seconds=float(delay),
            held_until=float(held_until),
            is_given_up=bool(int(is_given_up)),
            in_flight=in_flight,
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

    def begin_request(self, site: str, next_at: float = 0.0) -> None:
        """See `HostRows`."""
        row = self.get(site)
        self._server.call("host_begin", site, next_at)
        self._rows.change(site, replace(row, in_flight=row.in_flight + 1, next_at=max(row.next_at, next_at)))

    def end_request(self, site: str) -> None:
        """See `HostRows`."""
        row = self.get(site)
        self._server.call("host_end", site)
        self._rows.change(site, replace(row, in_flight=max(0, row.in_flight - 1)))

    def set_failures(self, site: str, failures: int, pauses: int) -> None:
        """See `HostRows`."""
        self._rows.drop(site)
        self._server.call("host_set", site, "failures", failures, "pauses", pauses)

    def rows(self) -> Iterator[tuple[str, HostRow]]:
        """See `HostRows`."""
        return ((site, self._row(site)) for site in sorted(self._server.names("host:")))

    def restore(self, site: str, row: HostRow) -> None:
        """See `HostRows`."""
        values = asdict(row) | {"is_given_up": int(row.is_given_up)}
        values[f"f:{self._server.worker}"] = values.pop("in_flight")
        self._server.call("host_set", site, *(each for pair in values.items() for each in pair))

    def take_turn(self, site: str, delay_seconds: float) -> float:
        """See `HostRows`; by the clock of Redis."""
        return self._after_break("host_turn", site, delay_seconds)

    def begin_turn(self, site: str, delay_seconds: float) -> float:
        """See `HostRows`; by the clock of Redis."""
        return self._after_break("host_sent", site, delay_seconds)

    def postpone_turn(self, site: str, seconds_ago: float) -> None:
        """See `HostRows`; does nothing where another request was sent since."""
        self._server.call("host_late", site, seconds_ago)

    def _after_break(self, script: str, site: str, delay_seconds: float) -> float:
        """Ask for a turn; a server that was killed may have forgotten those of its last second."""
        left = float(self._server.call(script, site, delay_seconds))
        if self._known_breaks != self._server.breaks:
            self._known_breaks = self._server.breaks
            self._back_at = self._clock()
        return max(left, self._back_at + delay_seconds - self._clock(), 0.0)

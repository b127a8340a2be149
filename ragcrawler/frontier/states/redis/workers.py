"""The workers of one crawl: who is alive, when the crawl is over, and who ends it."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

from ragcrawler.frontier.states.redis.server import RedisServer

_OPENED = "opened"
_ENDED_SECONDS = 24 * 3600
_TURNS: Mapping[int, Literal["end", "wait", "leave"]] = {1: "end", -1: "wait", 0: "leave"}


class RedisWorkers:
    """A worker that was not heard of for `alive_seconds` has died. Calls of host rows are heard, too.

    Args:
        server: of the crawl.
        clock: of the server.
    """

    def __init__(self, server: RedisServer, clock: Callable[[], float]) -> None:
        self._server = server
        self._clock = clock

    def join(self) -> int | None:
        """Begin to work: how many others are alive; None where the crawl has ended."""
        others = int(self._server.call("join"))
        return None if others < 0 else others

    def leave(self, results: Mapping[str, Any]) -> int:
        """Leave the results of this worker, which others shall not wait for: how many are alive."""
        return int(self._server.call("leave", json.dumps(results) if results else ""))

    def beat(self) -> None:
        """This worker is alive."""
        self._server.call("beat")

    def alive(self) -> int:
        """How many are."""
        name, now = self._server.key("workers"), self._clock()
        return int(self._server.do(lambda redis: redis.zcount(name, now, "+inf")))

    def is_over(self) -> bool:
        """Whether nothing is queued, and nobody leases what is not parked; leases of the dead run out."""
        return bool(self._server.call("over", self._clock()))

    def end(self, results: Mapping[str, Any]) -> Literal["end", "wait", "leave"]:
        """Leave the results of this worker, which does no more; says what it does next.

        `end`: it is the last one, and does what is done once a crawl; then it calls `ended`. `wait`: others
        still work, or one ends the crawl: ask again. `leave`: the crawl has ended.
        """
        return _TURNS[int(self._server.call("end", json.dumps(results)))]

    def mark_ended(self) -> None:
        """The crawl has ended: the others leave, and one that is away for long finds the mark."""
        end = self._server.key("end")
        self._server.do(lambda redis: (redis.hset(end, "is_done", 1), redis.expire(end, _ENDED_SECONDS)))

    def results(self) -> list[dict[str, Any]]:
        """The results of all workers that have left them."""
        return [json.loads(text) for text in self._server.hash(self._server.key("results")).values()]

    def ending(self) -> dict[str, Any] | None:
        """The results of the worker that ends the crawl, or ended it today; None where none does yet."""
        text = self._server.read("end", lambda redis, name: redis.hget(name, "results"))
        return json.loads(text) if text else None

    def begin_opening(self) -> bool:
        """Whether this worker alone may open the collection now; who died over it holds up nobody."""
        return bool(self._server.call("begin_opening"))

    def is_opened(self) -> bool:
        """Whether one of those that work together has opened it."""
        return bool(self._server.read(_OPENED, lambda redis, name: redis.exists(name)))

    def set_opened(self) -> None:
        """This worker has."""
        self._server.write("SET", _OPENED, 1)

    def end_opening(self) -> None:
        """The next one may open it."""
        self._server.write("DEL", "opening")

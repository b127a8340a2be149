"""The workers of one crawl: who is alive, when the crawl is over, and who ends it."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

from ragcrawler.frontier.states.redis.server import RedisServer

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
        """The crawl has ended: the others leave."""
        self._server.do(lambda redis: redis.hset(self._server.key("end"), "is_done", 1))

    def results(self) -> list[dict[str, Any]]:
        """The results that each worker left."""
        return [json.loads(text) for text in self._server.hash(self._server.key("results")).values()]

"""The crawls that a Redis holds, by name."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import uuid4

from ragcrawler.frontier.states.redis.server import RedisAddress, RedisServer
from ragcrawler.frontier.states.redis.state import RedisState

_CRAWLS = "crawls"
_ENDED = "ended"
_ID_CHARACTERS = 12


class RedisCrawls:
    """Which state is that of which crawl.

    A crawl that begins anew gets a new state: a worker that is late to leave the last one finds it as it was.

    Args:
        address: of the server; the name of the crawl in it does not count.

    Raises:
        RedisStateError: the server cannot be used.
    """

    def __init__(self, address: RedisAddress) -> None:
        self._address = address
        self._server = RedisServer(replace(address, crawl=""))

    def all(self) -> Mapping[str, str]:
        """The name of each crawl, and the id of its state."""
        found = self._server.hash(self._server.key(_CRAWLS))
        return {name.decode(): state_id.decode() for name, state_id in sorted(found.items())}

    def open(self, name: str) -> RedisState:
        """The state of a crawl; an empty one where there is none."""
        self._forget_ended()
        self._server.do(lambda redis: redis.hsetnx(self._server.key(_CRAWLS), name, _new_id()))
        return self._state(self.all()[name])

    def find(self, name: str) -> RedisState | None:
        """The state of a crawl; None where there is none."""
        known = self.all().get(name)
        return None if known is None else self._state(known)

    def unnamed(self) -> RedisState:
        """An empty state that no crawl has yet."""
        return self._state(_new_id())

    def enter(self, name: str, state: RedisState) -> bool:
        """Name a state, unless there is one of this name; whether there was not."""
        crawls = self._server.key(_CRAWLS)
        return bool(self._server.do(lambda redis: redis.hsetnx(crawls, name, state.crawl)))

    def drop(self, name: str, state: RedisState) -> None:
        """Forget a crawl; workers that wait for its end leave, and the next one of its name begins anew."""
        self._server.call("drop", name, state.crawl)
        self._forget_ended()

    def close(self) -> None:
        """Close the connections."""
        self._server.close()

    def _state(self, state_id: str) -> RedisState:
        return RedisState(replace(self._address, crawl=state_id))

    def _forget_ended(self) -> None:
        """Delete what is left of dropped crawls, perhaps by a worker that died over it."""
        ended = self._server.key(_ENDED)
        for state_id in self._server.do(lambda redis: redis.smembers(ended)):
            state = self._state(state_id.decode())
            state.workers.mark_ended()
            state.forget()
            state.close()
            self._server.do(partial(_remove_member, ended, state_id))


def _remove_member(name: str, member: bytes, redis: Any) -> None:
    redis.srem(name, member)


def _new_id() -> str:
    return uuid4().hex[:_ID_CHARACTERS]

"""Which proxy is next: the states of scrapy-rotating-proxies, and an end to trying when all are dead."""

import asyncio
from functools import partial
from typing import Any

from rotating_proxies.expire import Proxies, exp_backoff_full_jitter

from ragcrawler.config.crawling.proxies import ProxyConfig
from ragcrawler.run.outcomes import NoProxiesError

_FRUITLESS_ROUNDS = 6


class ProxyRotation:
    """Chooses at random among the proxies that are not dead; a dead one rests before it is tried again.

    The proxies go by their names, so nothing that is logged has credentials.
    """

    def __init__(self, config: ProxyConfig) -> None:
        self._config = config
        backoff = partial(
            exp_backoff_full_jitter, base=config.backoff_base_seconds, cap=config.backoff_cap_seconds
        )
        self._states: Any = Proxies(list(config.addresses), backoff=backoff)  # type: ignore[no-untyped-call]
        self._banned: set[str] = set()
        self._fruitless_rounds = 0
        self._turn = asyncio.Lock()

    async def choose(self) -> str:
        """The name of a proxy.

        When all are dead they are all tried again, after a pause that doubles as long as no proxy brings any
        response.

        Raises:
            NoProxiesError: after half a minute of that, or at once where the settings say so.
        """
        self._states.reanimate()
        while (name := self._states.get_random()) is None:
            if self._config.closes_spider or self._fruitless_rounds == _FRUITLESS_ROUNDS:
                raise NoProxiesError(f"none of the {len(self._config.addresses)} proxies answers")
            await self._begin_round()
        return str(name)

    def record_response(self) -> None:
        """A proxy brought a response, be it a ban."""
        self._fruitless_rounds = 0

    def works(self, name: str) -> None:
        """A proxy brought a response that is no ban."""
        self._states.mark_good(name)
        self._banned.discard(name)

    def ban(self, name: str) -> None:
        """Rest a proxy whose address a site turned away."""
        self._states.mark_dead(name)
        self._banned.add(name)

    def fail(self, name: str) -> None:
        """Rest a proxy that brought no response."""
        self._states.mark_dead(name)
        self._banned.discard(name)

    def counts(self) -> dict[str, int]:
        """Number of proxies by state; `banned` ones answer, `dead` ones do not."""
        banned = len(self._banned & self._states.dead)
        return {
            "good": len(self._states.good),
            "banned": banned,
            "dead": len(self._states.dead) - banned,
            "unchecked": len(self._states.unchecked),
        }

    async def _begin_round(self) -> None:
        async with self._turn:  # the requests that wait share one pause
            if self._states.get_random() is not None:
                return
            if self._fruitless_rounds:
                await asyncio.sleep(
                    min(2.0 ** (self._fruitless_rounds - 1), self._config.backoff_base_seconds)
                )
            self._fruitless_rounds += 1
            self._states.reset()

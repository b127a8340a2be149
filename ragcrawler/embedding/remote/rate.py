"""So much a minute, and no more."""

import asyncio
from collections.abc import Callable

_BURST_SECONDS = 10  # what was not used is kept for that long


class Bucket:
    """Fills at an even pace; whoever finds something in it may take more than that, and leaves it in debt.

    So an amount above what it holds is possible, and paid for by waiting afterwards.

    Args:
        per_minute: how fast it fills; 0 is without a limit.
        now: seconds of a clock.
    """

    def __init__(self, per_minute: int, now: float) -> None:
        self._per_second = per_minute / 60
        self._most = self._per_second * _BURST_SECONDS
        self._level = self._most
        self._at = now

    def delay(self, now: float) -> float:
        """Seconds until something may be taken."""
        if not self._per_second:
            return 0.0
        self._level = min(self._most, self._level + (now - self._at) * self._per_second)
        self._at = now
        return 0.0 if self._level > 0 else -self._level / self._per_second + 0.001

    def take(self, amount: float) -> None:
        """Take it."""
        self._level -= amount


class RateLimit:
    """Requests and tokens a minute; and a pause for all when the service asks one of them for it.

    Args:
        requests_per_minute: 0 is without a limit.
        tokens_per_minute: likewise.
        clock: seconds.
    """

    def __init__(self, requests_per_minute: int, tokens_per_minute: int, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._requests = Bucket(requests_per_minute, clock())
        self._tokens = Bucket(tokens_per_minute, clock())
        self._not_before = clock()
        self._turn = asyncio.Lock()

    async def turn(self, tokens: int) -> None:
        """Return when a request of so many tokens may go; first come, first served."""
        async with self._turn:
            while (delay := self.delay()) > 0:  # noqa: ASYNC110 - what is waited for is time itself
                await asyncio.sleep(delay)
            self._requests.take(1)
            self._tokens.take(tokens)

    def delay(self) -> float:
        """Seconds until the next request may go."""
        now = self._clock()
        return max(self._requests.delay(now), self._tokens.delay(now), self._not_before - now)

    def pause(self, seconds: float) -> None:
        """Let no request go for so long."""
        self._not_before = max(self._not_before, self._clock() + seconds)

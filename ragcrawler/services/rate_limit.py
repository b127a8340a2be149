"""So many requests and tokens in a time, and no more."""

import asyncio
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable

# A service counts by its own clock, and requests arrive a little later than they leave: a tenth of a second
# more than a minute keeps jitter from bringing one too many into its window.
_MINUTE_SECONDS = 60.1


class RateLimit:
    """Lets requests go while any window of time, a minute say, holds no more of them than is allowed.

    A window slides along: a limit of 100 lets 100 requests go at once and the next one a minute after the
    first. A bucket that refills would let more than 100 go in the first minute.

    Args:
        requests: in a window; 0 is without a limit.
        tokens: likewise; a request that alone has more goes when no other is in the window.
        clock: seconds that only grow.
        sleep: waits for so many seconds of that clock; `asyncio.sleep` unless given.
        window_seconds: a minute unless given.
    """

    def __init__(
        self,
        requests: int,
        tokens: int,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] | None = None,
        *,
        window_seconds: float = _MINUTE_SECONDS,
    ) -> None:
        self._clock = clock
        self._sleep = sleep or asyncio.sleep
        self._window_seconds = window_seconds
        self._most_requests = requests
        self._most_tokens = tokens
        self._gone: deque[tuple[float, int]] = deque()
        self._tokens = 0
        self._not_before = clock()
        self._turn = asyncio.Lock()

    @classmethod
    def averaging(
        cls, per_second: float, over_seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> "RateLimit":
        """As many requests in a window as come to an average, one of them at the least."""
        most = max(1, math.floor(per_second * over_seconds))
        return cls(most, 0, clock, window_seconds=most / per_second)

    async def turn(self, tokens: int) -> None:
        """Return when a request of so many tokens may go; first come, first served."""
        async with self._turn:
            while (delay := self.take(tokens)) > 0:
                await self._sleep(delay)

    def take(self, tokens: int = 0) -> float:
        """Let a request go and return 0; or the seconds until one may."""
        delay = self.delay(tokens)
        if not delay and (self._most_requests or self._most_tokens):
            self._gone.append((self._clock(), tokens))
            self._tokens += tokens
        return delay

    def delay(self, tokens: int = 0) -> float:
        """Seconds until a request of so many tokens may go."""
        now = self._clock()
        while self._gone and self._gone[0][0] <= now - self._window_seconds:
            self._tokens -= self._gone.popleft()[1]
        return max(self._window_delay(now, tokens), self._not_before - now, 0.0)

    def pause(self, seconds: float) -> None:
        """Let no request go for so long."""
        self._not_before = max(self._not_before, self._clock() + seconds)

    def _window_delay(self, now: float, tokens: int) -> float:
        """Seconds until enough of the requests in the window have left it."""
        requests, held, delay = len(self._gone), self._tokens, 0.0
        for at, amount in self._gone:
            if self._has_room(requests, held + tokens):
                break
            delay = at + self._window_seconds - now
            requests -= 1
            held -= amount
        return delay

    def _has_room(self, requests: int, tokens: int) -> bool:
        is_free = not self._most_requests or requests < self._most_requests
        return is_free and (not self._most_tokens or tokens <= self._most_tokens)

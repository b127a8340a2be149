"""Bounds how often a client may ask."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from ragcrawler.server.security.error_answer import error_answer

_BURST_SECONDS = 3.0
_MOST_CLIENTS = 10_000
TOO_MANY = "Too many requests: wait a little."


class RateLimit:
    """A bucket of permits for each client, which fills at a steady rate.

    Args:
        per_second: permits.
        burst: that a bucket holds.
        clock: tells the seconds since whenever.
    """

    def __init__(self, per_second: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_second
        self._burst = max(1.0, burst)
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # permits, and as of when

    def wait_seconds(self, client: str) -> float:
        """Take a permit and return 0; or how long it takes until there is one."""
        now = self._clock()
        permits, then = self._buckets.pop(client, (self._burst, now))
        permits = min(self._burst, permits + (now - then) * self._per_second)
        is_allowed = permits >= 1.0
        self._buckets[client] = (permits - 1.0 if is_allowed else permits, now)
        if len(self._buckets) > _MOST_CLIENTS:
            self._buckets.popitem(last=False)
        return 0.0 if is_allowed else (1.0 - permits) / self._per_second


class RequestLimit:
    """ASGI middleware: 429 with `Retry-After` for a client that asks too often."""

    def __init__(self, app: ASGIApp, *, per_second: float) -> None:
        self._app = app
        self._limit = RateLimit(per_second, _BURST_SECONDS * per_second)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        client = scope["client"][0] if scope.get("client") else ""
        seconds = self._limit.wait_seconds(client)
        if not seconds:
            return await self._app(scope, receive, send)
        wait = {"Retry-After": str(math.ceil(seconds))}
        return await error_answer(scope, 429, TOO_MANY, wait)(scope, receive, send)

"""Bounds how often a client may ask."""

import math
from collections import OrderedDict

from starlette.types import ASGIApp, Receive, Scope, Send

from ragcrawler.server.security.error_answer import error_answer
from ragcrawler.services import RateLimit

_BURST_SECONDS = 3.0
_MOST_CLIENTS = 10_000
TOO_MANY = "Too many requests: wait a little."


class RequestLimit:
    """ASGI middleware: 429 with `Retry-After` for a client that asks too often."""

    def __init__(self, app: ASGIApp, *, per_second: float) -> None:
        self._app = app
        self._per_second = per_second
        self._limits: OrderedDict[str, RateLimit] = OrderedDict()  # by client

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        client = scope["client"][0] if scope.get("client") else ""
        seconds = self._limit_of(client).take()
        if not seconds:
            return await self._app(scope, receive, send)
        wait = {"Retry-After": str(math.ceil(seconds))}
        return await error_answer(scope, 429, TOO_MANY, wait)(scope, receive, send)

    def _limit_of(self, client: str) -> RateLimit:
        limit = self._limits.pop(client, None) or RateLimit.averaging(self._per_second, _BURST_SECONDS)
        self._limits[client] = limit
        if len(self._limits) > _MOST_CLIENTS:
            self._limits.popitem(last=False)
        return limit

"""Counts and times every request."""

import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ragcrawler.server.metrics import Metrics

_NO_ROUTE = "(none)"
_METHODS = {"GET", "HEAD", "POST", "OPTIONS", "DELETE", "PUT", "PATCH"}


class RequestMetrics:
    """ASGI middleware; labels are bounded: requests that no route takes are counted under one name."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        status = 500
        began = time.perf_counter()

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        self._metrics.running.inc()
        try:
            await self._app(scope, receive, send_and_note)
        finally:
            self._metrics.running.dec()
            route = getattr(scope.get("route"), "path", _NO_ROUTE)
            method = scope["method"] if scope["method"] in _METHODS else "other"
            self._metrics.requests.labels(route, method, status).inc()
            self._metrics.seconds.labels(route).observe(time.perf_counter() - began)
        return None

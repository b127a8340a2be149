"""The application: routes, and the checks before them."""

import math
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from ragcrawler.config.server import ServerConfig
from ragcrawler.server.api.endpoints import ENDPOINTS
from ragcrawler.server.api.handler import Handler, Workers, endpoint_handler, without_token
from ragcrawler.server.api.openapi import openapi
from ragcrawler.server.metrics import CONTENT_TYPE, Metrics
from ragcrawler.server.pages.rendering import render
from ragcrawler.server.pages.routes import Pages
from ragcrawler.server.request_metrics import RequestMetrics
from ragcrawler.server.security.error_answer import error_answer, is_browser
from ragcrawler.server.security.origin_check import OriginCheck, allowed_hosts
from ragcrawler.server.security.rate_limit import TOO_MANY, RequestLimit
from ragcrawler.server.security.response_headers import ResponseHeaders
from ragcrawler.server.security.token_check import TokenCheck
from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.services.sites import statistics
from ragcrawler.server.tools.http import LateTools
from ragcrawler.services import RateLimit

# What the router says in one word or two.
_UNROUTED = {404: "There is nothing at this address.", 405: "This address is not asked by this method."}


def make_app(collection: ServedCollection, config: ServerConfig) -> Starlette:
    """The application over an open collection.

    Args:
        collection: that is searched; the caller closes it.
        config: with the port that is bound.
    """
    metrics, workers = Metrics(), Workers(collection)
    checks = [
        Middleware(RequestMetrics, metrics=metrics),
        Middleware(ResponseHeaders),
        Middleware(OriginCheck, hosts=allowed_hosts(config.port, config.hosts)),
        Middleware(RequestLimit, per_second=config.requests_per_second),
    ]
    if config.token:
        checks.append(Middleware(TokenCheck, token=config.token))
    asks = RateLimit.averaging(config.asks_per_minute / 60, 60)
    counted = partial(_counted, limit=asks, metrics=metrics)
    tools = LateTools(collection, asks)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with tools.running():
            yield

    return Starlette(
        routes=[
            *Pages(workers, counted).routes(),
            *api_routes(workers, counted, metrics, has_token=bool(config.token)),
            Route("/mcp", tools),
        ],
        lifespan=lifespan,
        middleware=checks,
        exception_handlers={HTTPException: _refuse, Exception: _fail},  # type: ignore[dict-item]  # of a subclass
    )


def api_routes(
    workers: Workers, counted: Callable[[Handler], Handler], metrics: Metrics, *, has_token: bool
) -> Sequence[BaseRoute]:
    """The endpoints, their description, and the metrics."""
    description = openapi(ENDPOINTS)

    async def describe(_: Request) -> Response:
        return JSONResponse(description)

    async def measure(_: Request) -> Response:
        numbers = await workers.run(statistics)
        metrics.chunks.set(numbers.chunks)
        metrics.documents.set(numbers.documents)
        return Response(metrics.text(), media_type=CONTENT_TYPE)

    def handler(number: int) -> Handler:
        endpoint = ENDPOINTS[number]
        if endpoint.is_of_operator and not has_token:
            return without_token
        made = endpoint_handler(endpoint, workers)
        return counted(made) if endpoint.asks_model else made

    return [
        *(Route(each.path, handler(number), methods=[each.method]) for number, each in enumerate(ENDPOINTS)),
        Route("/openapi.json", describe),
        Route("/metrics", measure),
    ]


def _counted(handler: Handler, limit: RateLimit, metrics: Metrics) -> Handler:
    """A handler that asks the language model: bounded for all clients together, and counted."""

    async def handle(request: Request) -> Response:
        seconds = limit.take()
        if seconds:
            metrics.asks.labels("limited").inc()
            raise HTTPException(429, TOO_MANY, {"Retry-After": str(math.ceil(seconds))})
        try:
            answer = await handler(request)
        except HTTPException:
            metrics.asks.labels("refused").inc()
            raise
        metrics.asks.labels("answered").inc()
        return answer

    return handle


async def _refuse(request: Request, error: HTTPException) -> Response:
    status, title, message = error.status_code, HTTPStatus(error.status_code).phrase, error.detail
    if message == title:
        message = _UNROUTED.get(status, message)
    if not is_browser(request.scope):
        return error_answer(request.scope, status, message, error.headers)
    page = render("error.html", status, title=title, message=message)
    page.headers.update(error.headers or {})
    return page


async def _fail(request: Request, _: Exception) -> Response:
    """A fault of ours: uvicorn logs it; the client learns nothing of the machine."""
    return error_answer(request.scope, 500, "The server failed; its log says how.")

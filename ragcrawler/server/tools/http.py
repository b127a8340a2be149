"""The tools over streamable HTTP."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from starlette.types import ASGIApp, Receive, Scope, Send

from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.services import RateLimit

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

_MOST_BODY_BYTES = 64 * 1024


class LateTools:
    """An ASGI application that opens the tools beside the first answers of the server.

    The library of the protocol takes as long to import as all the rest; who asks for a tool waits for it.

    Args:
        collection: that the tools read.
        asks: bounds the questions to the language model.
    """

    def __init__(self, collection: ServedCollection, asks: RateLimit) -> None:
        self._collection = collection
        self._asks = asks
        self._opened = asyncio.Event()
        self._app: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer once the tools are open.

        Raises:
            RuntimeError: they could not be opened.
        """
        await self._opened.wait()
        if self._app is None:
            raise RuntimeError("the tools could not be opened: the log says why")
        await self._app(scope, receive, send)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Open the tools, and keep them open until the block ends."""
        task = asyncio.create_task(self._run())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _run(self) -> None:
        try:
            manager = await asyncio.to_thread(_open, self._collection, self._asks)
            async with manager.run():
                from mcp.server.streamable_http_manager import StreamableHTTPASGIApp

                self._app = StreamableHTTPASGIApp(manager)
                self._opened.set()
                await asyncio.Event().wait()  # until it is cancelled
        finally:
            self._opened.set()


def _open(collection: ServedCollection, asks: RateLimit) -> "StreamableHTTPSessionManager":
    """The manager that has to run while it answers; no session is kept between requests."""
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp.server.transport_security import TransportSecuritySettings

    from ragcrawler.server.tools.mcp_server import make_mcp_server

    return StreamableHTTPSessionManager(
        make_mcp_server(collection, asks),
        json_response=True,
        stateless=True,
        # The application's own check of hosts and origins is before it, on every route.
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_request_body_size=_MOST_BODY_BYTES,
    )

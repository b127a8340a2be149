"""Work done side by side whose results leave in the order in which it came."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class ArrivalOrder:
    """A queue in which each task works at once and waits at the end for those before it."""

    def __init__(self) -> None:
        self._last: asyncio.Future[None] | None = None

    @asynccontextmanager
    async def keep(self) -> AsyncIterator[None]:
        """Take a place at once; leave when all who came before have left, in whatever way.

        Who leaves by an exception does not wait.
        """
        before, left = self._last, asyncio.get_running_loop().create_future()
        self._last = left
        try:
            yield
            if before is not None:
                await asyncio.shield(before)
        finally:
            _follow(before, left)


def _follow(before: "asyncio.Future[None] | None", left: "asyncio.Future[None]") -> None:
    """Let a place count as left, once the one before it does."""
    if before is None or before.done():
        left.set_result(None)
    else:
        before.add_done_callback(lambda _: left.set_result(None))

"""How many pages wait in the pipelines: Scrapy takes what `start` yields without a bound."""

import asyncio


class PagesInFlight:
    """Lets a page in when there is room for it.

    Args:
        max_pages: at once.
        max_bytes: of their bodies together; a bigger page goes in alone.
    """

    def __init__(self, max_pages: int, max_bytes: int) -> None:
        self._max_pages = max_pages
        self._max_bytes = max_bytes
        self._sizes: dict[str, int] = {}
        self._left = asyncio.Event()

    @property
    def is_empty(self) -> bool:
        """No page is in the pipelines."""
        return not self._sizes

    async def enter(self, url: str, size: int) -> None:
        """Wait for room, and take it."""
        while self._sizes and not self._has_room(size):
            self._left.clear()
            await self._left.wait()
        self._sizes[url] = size

    def leave(self, url: str) -> None:
        """The page has come out of the pipelines, in whatever way."""
        if self._sizes.pop(url, None) is not None:
            self._left.set()

    def _has_room(self, size: int) -> bool:
        return len(self._sizes) < self._max_pages and sum(self._sizes.values()) + size <= self._max_bytes

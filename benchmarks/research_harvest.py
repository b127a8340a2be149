"""How fast an order of fetches brings the facts of a made web; used by `research.py`."""

from collections import deque
from collections.abc import Sequence

from research_server import WebServer
from research_web import WebPage

SHARE = 0.9


class Harvest:
    """How fast an order of fetches brings the facts of all pages that links lead to."""

    def __init__(self, server: WebServer) -> None:
        self._server = server
        self._pages = {server.url(page): page for page in server.web.pages}
        self._all = {fact for page in self._reachable() for fact in page.says}

    def breadth_first(self) -> list[str]:
        return [self._server.url(page) for page in self._reachable()]

    def fetches(self, urls: Sequence[str]) -> tuple[int, float]:
        """Fetches to the share of facts, or all pages where it is not reached; the share reached."""
        found: set[tuple[str, str, str]] = set()
        needed = len(self._pages)
        for number, url in enumerate(urls, start=1):
            found |= set(self._pages[url].says) if url in self._pages else set()
            if len(found) >= SHARE * len(self._all):
                needed = min(needed, number)
        return needed, len(found) / len(self._all)

    def _reachable(self) -> list[WebPage]:
        order, waiting = {id(self._server.web.start): self._server.web.start}, deque([self._server.web.start])
        while waiting:
            for _, page in waiting.popleft().links:
                if id(page) not in order:
                    order[id(page)] = page
                    waiting.append(page)
        return list(order.values())

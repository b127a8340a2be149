"""Scripts that several pages have in common are asked for once."""

from collections import OrderedDict

from ragcrawler.middlewares.javascript.browser.static_page import ResourceResponse

_MAX_BYTES = 64 * 2**20


class ScriptCache:
    """Keeps whole scripts in memory, up to 64 MiB; the one not used for longest goes first."""

    def __init__(self, max_bytes: int = _MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._replies: OrderedDict[str, ResourceResponse] = OrderedDict()

    def get(self, url: str) -> ResourceResponse | None:
        if url not in self._replies:
            return None
        self._replies.move_to_end(url)
        return self._replies[url]

    def put(self, url: str, reply: ResourceResponse) -> None:
        """Keep a script, unless the site forbids it or it was not found."""
        if reply.status != 200 or "no-store" in reply.headers.get("cache-control", ""):  # noqa: PLR2004  HTTP's
            return
        self._bytes += len(reply.body)
        if old := self._replies.pop(url, None):
            self._bytes -= len(old.body)
        self._replies[url] = reply
        while self._bytes > self._max_bytes:
            self._bytes -= len(self._replies.popitem(last=False)[1].body)

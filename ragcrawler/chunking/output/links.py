"""Where a chunk can be read: the page, and the place on it."""

from bisect import bisect_right
from collections.abc import Sequence
from pathlib import PurePosixPath
from urllib.parse import quote, urldefrag, urlsplit

from ragcrawler.items import Anchor


class ChunkLinks:
    """Links to the places of one document."""

    def __init__(self, url: str, anchors: Sequence[Anchor]) -> None:
        self._url = urldefrag(url).url
        self._anchors = sorted(anchors, key=lambda anchor: anchor.line)
        self._lines = [anchor.line for anchor in self._anchors]

    def at(self, line: int) -> str:
        """The URL with the last anchor at or before a 0-based line; without one, the URL alone."""
        index = bisect_right(self._lines, line)
        if not self._url or not index:
            return self._url
        return f"{self._url}#{quote(self._anchors[index - 1].id, safe='-._~!$&()*+,;=:@/?')}"


def chapter(url: str) -> str:
    """The first path segment of a page, the folder of a file; "" at the top."""
    parts = urlsplit(url)
    folders = [name for name in PurePosixPath(parts.path).parent.parts if name != "/"]
    if parts.path.endswith("/"):
        folders = [name for name in parts.path.split("/") if name]
    if not folders:
        return ""
    return folders[0] if parts.netloc else folders[-1]

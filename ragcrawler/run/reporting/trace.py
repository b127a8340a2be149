"""The trace of every URL: one JSON line for each decision."""

import json
from dataclasses import dataclass, replace
from typing import TextIO

from ragcrawler.frontier.states.protocol import NOFOLLOW, Status
from ragcrawler.run.reporting.folder import RunFolder


@dataclass(frozen=True, slots=True)
class _Found:
    """A URL that is not decided yet."""

    url: str
    parent_url: str = ""
    depth: int = 0
    final_url: str = ""


class UrlTrace:
    """Writes `urls.jsonl` while a crawl runs; observes its ledger, which keeps hashes alone.

    The URLs that are not decided yet are kept in memory, some hundred bytes each, with those that were passed
    over: each URL has one line, and another link may still bring these.
    """

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder
        self._file: TextIO | None = None
        self._open: dict[int, _Found] = {}
        self._nofollow: dict[int, _Found] = {}

    def added(self, key: int, url: str) -> None:
        """A URL was seen for the first time that it may be asked for."""
        self._nofollow.pop(key, None)
        self._open.setdefault(key, _Found(url))

    def marked_nofollow(self, key: int, url: str) -> None:
        """Only links that may not be followed lead to a URL, so far."""
        self._nofollow[key] = _Found(url)

    def found(self, key: int, parent_url: str, depth: int) -> None:
        """Say where an undecided URL was found; the first place counts."""
        urls = self._open if key in self._open else self._nofollow
        known = urls.get(key)
        if known is not None and not (known.parent_url or known.depth):
            urls[key] = replace(known, parent_url=parent_url, depth=depth)

    def answered(self, key: int, final_url: str) -> None:
        """Say which URL answered for another, after redirects."""
        known = self._open.get(key)
        if known is not None:
            self._open[key] = replace(known, final_url=final_url)

    def decided(self, key: int, url: str, status: Status, reason: str) -> None:
        self._write(self._open.pop(key, _Found(url)), status, reason)

    def closed(self, reason: str) -> None:
        """Write what is still open as skipped for one reason, and close the file."""
        for urls, why in ((self._open, reason), (self._nofollow, NOFOLLOW)):
            for found in urls.values():
                self._write(found, "skipped", why)
            urls.clear()
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, found: _Found, status: Status, reason: str) -> None:
        if self._file is None:
            self._folder.make()
            self._file = self._folder.urls.open("a", encoding="utf-8")
        record = {
            "url": found.url,
            "fate": status,
            "reason": reason,
            "parent_url": found.parent_url,
            "depth": found.depth,
            "final_url": found.final_url or found.url,
        }
        self._file.write(json.dumps(record) + "\n")

"""Files of a run about its URLs: those that were left out, or every one."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from ragcrawler.frontier.filters.junk import JUNK
from ragcrawler.frontier.states.protocol import NOFOLLOW, Status
from ragcrawler.run.outcomes import NOT_DUE, UNCHANGED
from ragcrawler.run.reporting.activity import CrawlActivity
from ragcrawler.run.reporting.activity.crawl_activity import Event
from ragcrawler.run.reporting.folder import RunFolder

MOST_SKIPPED = 10_000
_EVENTS: Mapping[Status, Event] = {"fetched": "pages", "skipped": "skipped", "failed": "failed"}
_NOT_LEFT_OUT = {UNCHANGED, NOT_DUE}


class LinesFile:
    """A file of JSON lines in the folder of a run, made with its first line; each is written at once.

    Args:
        path: of the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: TextIO | None = None

    def write(self, record: Mapping[str, object]) -> None:
        """Append a line."""
        if self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("a", encoding="utf-8", buffering=1)
        self._file.write(json.dumps(record) + "\n")

    def close(self) -> None:
        """Close it; calling it twice is fine."""
        if self._file is not None:
            self._file.close()
            self._file = None


class UrlOutcomes:
    """Enters in the activity when URLs were decided, and writes those that are left out to `skipped.jsonl`.

    See `FrontierObserver`. URLs that the crawl did not reach are not among these, nor pages that are stored
    and were not due, or were as they had been.

    Args:
        folder: of the run.
        activity: of the run.
        most: lines.
    """

    def __init__(self, folder: RunFolder, activity: CrawlActivity, most: int = MOST_SKIPPED) -> None:
        self._file = LinesFile(folder.skipped)
        self._activity = activity
        self._left = most
        self._last_found = (0, "")
        self._nofollow: dict[int, str] = {}

    def added(self, key: int, url: str) -> None:  # noqa: ARG002 - as all observers have it
        self._nofollow.pop(key, None)

    def marked_nofollow(self, key: int, url: str) -> None:
        if len(self._nofollow) < self._left:
            self._nofollow[key] = url

    def found(self, key: int, parent_url: str, depth: int) -> None:  # noqa: ARG002 - as all observers have it
        self._last_found = (key, parent_url)

    def answered(self, key: int, final_url: str) -> None:
        """It does not matter which URL answered."""

    def decided(self, key: int, url: str, status: Status, reason: str) -> None:
        event = "unchanged" if reason == UNCHANGED else _EVENTS.get(status)
        if event is not None:
            self._activity.note(event)
        if status != "skipped" or reason in _NOT_LEFT_OUT:
            return
        # A URL that a filter refuses is decided where it is found.
        self._write(url, reason, self._last_found[1] if self._last_found[0] == key else "")
        if reason == JUNK:
            self._activity.list_page("junk", url)

    def closed(self, reason: str) -> None:  # noqa: ARG002 - as all observers have it
        for url in self._nofollow.values():
            self._write(url, NOFOLLOW)
        self._nofollow.clear()
        self._file.close()

    def _write(self, url: str, reason: str, parent_url: str = "") -> None:
        if self._left:
            self._left -= 1
            self._file.write({"url": url, "reason": reason, "parent_url": parent_url})


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
        self._file = LinesFile(folder.urls)
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
        self._file.close()

    def _write(self, found: _Found, status: Status, reason: str) -> None:
        record = {
            "url": found.url,
            "fate": status,
            "reason": reason,
            "parent_url": found.parent_url,
            "depth": found.depth,
            "final_url": found.final_url or found.url,
        }
        self._file.write(record)

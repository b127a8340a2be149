"""Where the crawls are that were broken off: files of this machine, or a Redis."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ragcrawler.frontier.states.dump import DumpableState
from ragcrawler.frontier.states.sqlite import FrontierStateError
from ragcrawler.run.saved_crawls.saved_crawl import (
    ABOUT,
    RUN,
    SavedCrawl,
    delete_crawl,
    saved_crawls,
    state_path,
)


@dataclass(frozen=True, slots=True)
class CrawlRecord:
    """A crawl that was broken off, as long as it is open.

    Attributes:
        state: of its frontier.
        is_worked_on: whether a process works on it now.
    """

    state: DumpableState
    is_worked_on: bool = False

    @property
    def about(self) -> Mapping[str, Any]:
        """Spider, arguments, collection, and when it began."""
        about: Mapping[str, Any] = json.loads(self.state.notes.get(ABOUT, 0) or "{}")
        return about

    @property
    def runs(self) -> list[str]:
        """Ids of its runs."""
        return sorted(self.state.notes.texts(RUN))


class CrawlPlace(Protocol):
    """Holds crawls by name. All methods raise `FrontierStateError`: the message is for the user."""

    def names(self) -> Sequence[str]:
        """Of all crawls."""

    def open(self, name: str) -> AbstractContextManager[CrawlRecord]:
        """One of them."""

    def delete(self, name: str) -> None:
        """Forget one on which no process works."""

    def create(self, name: str) -> AbstractContextManager[DumpableState]:
        """An empty state for a new name, which is kept where the block comes to its end."""


class FilePlace:
    """See `CrawlPlace`; a file of OUTPUT_DIR for each crawl, oldest first."""

    def __init__(self, output: Path) -> None:
        self._output = output

    def names(self) -> Sequence[str]:
        """See `CrawlPlace`."""
        return [path.stem for path in saved_crawls(self._output)]

    @contextmanager
    def open(self, name: str) -> Iterator[CrawlRecord]:
        """See `CrawlPlace`."""
        saved = SavedCrawl(self._path(name))
        try:
            yield CrawlRecord(saved.state)
        finally:
            saved.end(is_over=False)

    def delete(self, name: str) -> None:
        """See `CrawlPlace`."""
        delete_crawl(self._path(name))

    @contextmanager
    def create(self, name: str) -> Iterator[DumpableState]:
        """See `CrawlPlace`."""
        path = state_path(self._output, name)
        if path.exists():
            raise taken(name)
        saved = SavedCrawl(path)
        is_whole = False
        try:
            yield saved.state
            is_whole = True
        finally:
            saved.end(is_over=not is_whole)

    def _path(self, name: str) -> Path:
        if name not in self.names():
            raise unknown(name)
        return state_path(self._output, name)


def unknown(name: str) -> FrontierStateError:
    """There is no crawl of this name."""
    return FrontierStateError(f"there is no crawl {name}: `scrapy crawls` lists those that are there")


def taken(name: str) -> FrontierStateError:
    """There is one already."""
    return FrontierStateError(f"there is a crawl {name} already: `scrapy crawls delete {name}` first")

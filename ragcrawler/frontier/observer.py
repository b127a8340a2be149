"""Observers, which are told of each change of a URL while a crawl runs."""

from typing import Protocol

from ragcrawler.frontier.states.protocol import Status


class FrontierObserver(Protocol):
    """Told of each change, with the key of its record and the URL, which the ledger forgets."""

    def added(self, key: int, url: str) -> None:
        """A URL is open: seen for the first time, or skipped as `nofollow` before."""

    def marked_nofollow(self, key: int, url: str) -> None:
        """A URL is skipped as `nofollow`, unless it is entered later."""

    def found(self, key: int, parent_url: str, depth: int) -> None:
        """Where an undecided URL was found."""

    def answered(self, key: int, final_url: str) -> None:
        """Which URL answered for another, after redirects."""

    def decided(self, key: int, url: str, status: Status, reason: str) -> None:
        """A URL came to its end."""

    def closed(self, reason: str) -> None:
        """Every open URL is skipped for one reason."""


class FrontierObservers:
    """Tells all that were added, in order; see `FrontierObserver`."""

    def __init__(self) -> None:
        self._all: list[FrontierObserver] = []

    def add(self, observer: FrontierObserver) -> None:
        """Tell this one too."""
        self._all.append(observer)

    def added(self, key: int, url: str) -> None:
        for each in self._all:
            each.added(key, url)

    def marked_nofollow(self, key: int, url: str) -> None:
        for each in self._all:
            each.marked_nofollow(key, url)

    def found(self, key: int, parent_url: str, depth: int) -> None:
        for each in self._all:
            each.found(key, parent_url, depth)

    def answered(self, key: int, final_url: str) -> None:
        for each in self._all:
            each.answered(key, final_url)

    def decided(self, key: int, url: str, status: Status, reason: str) -> None:
        for each in self._all:
            each.decided(key, url, status, reason)

    def closed(self, reason: str) -> None:
        for each in self._all:
            each.closed(reason)

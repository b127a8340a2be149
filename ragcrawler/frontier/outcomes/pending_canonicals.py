"""Pages that wait until the canonical URL that they declare was answered."""

import json
from collections.abc import Callable
from typing import NamedTuple

from ragcrawler.frontier.states.protocol import Notes
from ragcrawler.frontier.target import Target

# An honest site names the address itself. A hostile one could name ever new ones, and no page would be kept.
_MAX_CHAIN = 3
_WAITS_FOR = "waits_for"
_WAITING = "waiting"
_CHAIN = "chain"


class WaitingPage(NamedTuple):
    """A page that waits.

    Attributes:
        target: to be asked for alone where the canonical URL fails.
        reason: what the page is skipped for where it comes.
    """

    target: Target
    reason: str


class PendingCanonicals:
    """Which page waits for which; a page waits for one at a time. All spellings of a URL are one page."""

    def __init__(self, notes: Notes, key: Callable[[str], int]) -> None:
        self._notes = notes
        self._key = key

    def is_waiting(self, url: str) -> bool:
        """Whether this page waits for another."""
        return self._waits_for(self._key(url)) is not None

    def can_wait(self, url: str, canonical: str) -> bool:
        """No where the page would wait for itself, or at the end of too long a chain."""
        page, waits_for = self._key(url), self._key(canonical)
        if self._chain(page) >= _MAX_CHAIN:
            return False
        while waits_for != page and (further := self._waits_for(waits_for)) is not None:
            waits_for = further
        return waits_for != page

    def wait(self, waiting: WaitingPage, canonical: str) -> None:
        """Let a page wait."""
        page, waits_for = self._key(waiting.target.url), self._key(canonical)
        entry = [waiting.target.to_json(), waiting.reason]
        chain = self._chain(page) + 1
        self._change(_CHAIN, waits_for, lambda text: str(max(chain, int(text or 0))))
        self._notes.put(_WAITS_FOR, page, str(waits_for))
        self._change(_WAITING, waits_for, lambda text: json.dumps([*_entries(text), entry]))

    def release(self, url: str) -> list[WaitingPage]:
        """The pages that waited for this one; they wait no more."""
        entries = _entries(self._notes.pop(_WAITING, self._key(url)))
        released = [WaitingPage(Target.from_json(target), reason) for target, reason in entries]
        for waiting in released:
            self._notes.pop(_WAITS_FOR, self._key(waiting.target.url))
        return released

    def _change(self, kind: str, key: int, change: Callable[[str | None], str]) -> None:
        """Put what comes of a text in its place; once more where another worker changed it meanwhile."""
        text = self._notes.get(kind, key)
        while not self._notes.swap(kind, key, text, change(text)):
            text = self._notes.get(kind, key)

    def _waits_for(self, key: int) -> int | None:
        text = self._notes.get(_WAITS_FOR, key)
        return int(text) if text else None

    def _chain(self, key: int) -> int:
        return int(self._notes.get(_CHAIN, key) or 0)


def _entries(text: str | None) -> list[list[str]]:
    entries: list[list[str]] = json.loads(text) if text else []
    return entries

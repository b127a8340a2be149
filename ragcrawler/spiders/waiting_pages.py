"""Pages that wait for a better address of the same text."""

from typing import NamedTuple

from ragcrawler.spiders.visit import Visit
from ragcrawler.urls.identity import url_key

# An honest site names the address itself. A hostile one could name ever new ones, and no page would be kept.
_MAX_CHAIN = 3


class Waiting(NamedTuple):
    """A page that waits.

    Attributes:
        visit: to be made alone where the better address fails.
        reason: what the page is skipped for where it comes.
    """

    visit: Visit
    reason: str


class WaitingPages:
    """Which page waits for which; a page waits for one at a time. All spellings of a URL are one page."""

    def __init__(self) -> None:
        self._waiting: dict[str, list[Waiting]] = {}
        self._target_of: dict[str, str] = {}
        self._chain: dict[str, int] = {}

    def is_waiting(self, url: str) -> bool:
        """Whether this page waits for another."""
        return url_key(url) in self._target_of

    def can_wait(self, url: str, target: str) -> bool:
        """No where the page would wait for itself, or at the end of too long a chain."""
        page, waits_for = url_key(url), url_key(target)
        if self._chain.get(page, 0) >= _MAX_CHAIN:
            return False
        while waits_for != page and waits_for in self._target_of:
            waits_for = self._target_of[waits_for]
        return waits_for != page

    def wait(self, waiting: Waiting, target: str) -> None:
        """Let a page wait."""
        page, waits_for = url_key(waiting.visit.url), url_key(target)
        self._chain[waits_for] = max(self._chain.get(page, 0) + 1, self._chain.get(waits_for, 0))
        self._target_of[page] = waits_for
        self._waiting.setdefault(waits_for, []).append(waiting)

    def release(self, url: str) -> list[Waiting]:
        """The pages that waited for this one; they wait no more."""
        released = self._waiting.pop(url_key(url), [])
        for waiting in released:
            self._target_of.pop(url_key(waiting.visit.url), None)
        return released

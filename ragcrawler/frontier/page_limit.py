"""Accepts pages: each final URL once, and no more than the limit."""

from collections.abc import Callable
from typing import Literal

from ragcrawler.frontier.states.protocol import Notes
from ragcrawler.frontier.target import Target

Acceptance = Literal["accepted", "known", "full"]

PLANNED = "planned"
"""The reason of pages that `scrapy plan` leaves to the crawl."""

_ACCEPTED = "accepted"
_PLANNED_PAGE = "planned_page"


class AcceptedPages:
    """The final URLs whose pages went on to the pipelines.

    Args:
        notes: keep them.
        key: of the record of a URL.
        max_pages: 0 for no bound.
    """

    def __init__(self, notes: Notes, key: Callable[[str], int], max_pages: int) -> None:
        self._notes = notes
        self._key = key
        self._max_pages = max_pages

    @property
    def is_full(self) -> bool:
        """Whether as many pages were accepted as were asked for."""
        return 0 < self._max_pages <= self._notes.size(_ACCEPTED, 0)

    def accept(self, url: str) -> Acceptance:
        """Accept a page, unless another response was first or there are enough."""
        if self._notes.insert_member(_ACCEPTED, 0, self._key(url), self._max_pages):
            return "accepted"
        return "known" if url in self else "full"

    def __contains__(self, url: str) -> bool:
        return self._notes.has_member(_ACCEPTED, 0, self._key(url))


class PlanLimit:
    """Limits how many linked pages `scrapy plan` fetches; the rest is only counted.

    Args:
        notes: count them.
        max_pages: 0 for a crawl, which fetches all.
    """

    def __init__(self, notes: Notes, max_pages: int) -> None:
        self._notes = notes
        self._max_pages = max_pages

    @property
    def is_on(self) -> bool:
        """Whether this is a plan."""
        return self._max_pages > 0

    def refusal(self, target: Target, *, is_listed: bool) -> str:
        """`planned` for a page that a crawl would ask for and a plan does not, else "".

        Args:
            target: a page that no filter refuses.
            is_listed: a listing named it: there may be thousands of these.
        """
        if not self.is_on:
            return ""
        if is_listed or target.depth > 1 or self._notes.count(_PLANNED_PAGE, 0) > self._max_pages:
            return PLANNED
        return ""

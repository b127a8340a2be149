"""Which pages were taken: each address once, and no more than were asked for."""

from typing import Literal

from ragcrawler.urls.identity import document_id

Claim = Literal["taken", "held", "full"]


class Claims:
    """The final URLs whose pages went on to the pipelines.

    Args:
        max_pages: 0 for no bound.
    """

    def __init__(self, max_pages: int) -> None:
        self._max_pages = max_pages
        self._held: set[str] = set()

    @property
    def is_full(self) -> bool:
        """Whether as many pages were taken as were asked for."""
        return 0 < self._max_pages <= len(self._held)

    def take(self, url: str) -> Claim:
        """Take a page, unless another response was first or there are enough."""
        key = document_id(url)
        if key in self._held:
            return "held"
        if self.is_full:
            return "full"
        self._held.add(key)
        return "taken"

    def holds(self, url: str) -> bool:
        """Whether the page was taken."""
        return document_id(url) in self._held

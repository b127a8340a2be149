"""What a request of a crawl is for."""

from dataclasses import dataclass, replace
from typing import Any, Self

_KEY = "visit"


@dataclass(frozen=True, slots=True)
class Visit:
    """A page that is asked for; it travels in the request's `meta`, through redirects too.

    `meta["depth"]` is Scrapy's own: it counts callbacks, listings included.

    Attributes:
        url: canonical.
        depth: links followed from a start URL; 1 for what a listing names.
        parent_url: where the URL was found, "" for a start URL.
        stands_alone: it is kept whatever address it gives for itself: that one could not be had.
    """

    url: str
    depth: int = 0
    parent_url: str = ""
    stands_alone: bool = False

    @classmethod
    def of(cls, message: Any) -> Self:
        """The visit of a request, or of the request that a response answers."""
        visit: Self = message.meta[_KEY]
        return visit

    @property
    def meta(self) -> dict[str, Any]:
        """For the request; `url` is what other components know a page by."""
        return {_KEY: self, "url": self.url}

    def alone(self) -> "Visit":
        """The same page, asked for once more because its better address could not be had."""
        return replace(self, stands_alone=True)

"""What a request for a listing is for."""

from dataclasses import dataclass
from typing import Any, Self

from ragcrawler.run.meta_keys import LISTING


@dataclass(frozen=True, slots=True)
class ListingVisit:
    """A sitemap, feed or llms.txt that is asked for; it travels in the request's `meta`.

    Attributes:
        url: canonical.
        site: scheme, host and port of the page that led to it; what the bounds apply to.
        nesting: indexes above it.
        fallback_url: the other usual place, asked for where nothing is here.
    """

    url: str
    site: str
    nesting: int = 0
    fallback_url: str = ""

    @classmethod
    def of(cls, message: Any) -> Self:
        """The visit of a request, or of the request that a response answers."""
        visit: Self = message.meta[LISTING]
        return visit

    @property
    def meta(self) -> dict[str, Any]:
        """For the request."""
        return {LISTING: self, "url": self.url}

"""What `scrapy plan` leaves to the crawl that it looks ahead to."""

from ragcrawler.run.robots_lookup import RobotsLookup
from ragcrawler.spiders.visit import Visit

# A crawl would fetch it.
PLANNED = "planned"


class Foresight:
    """Lets a plan fetch the start pages and some of what they link to; the rest is only counted.

    Args:
        max_pages: linked pages that are fetched; 0 where this is no plan, and all are.
    """

    def __init__(self, max_pages: int) -> None:
        self._max_pages = max_pages
        self._fetched = 0

    def refusal(self, visit: Visit, robots: RobotsLookup | None, *, is_listed: bool) -> str:
        """Why a page that a crawl would ask for is not asked for now, "" where it is.

        Args:
            visit: to a page that was admitted.
            robots: says what the crawl will not get.
            is_listed: a listing named it: there may be thousands of these.
        """
        if not self._max_pages:
            return ""
        if robots is not None and robots.forbids(visit.url):
            return "robots"
        if is_listed or visit.depth > 1 or self._fetched >= self._max_pages:
            return PLANNED
        self._fetched += 1
        return ""

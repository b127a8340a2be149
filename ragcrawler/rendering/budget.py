"""How many pages may be rendered."""

from collections import Counter


class PageBudget:
    """Counts down, for the crawl and for each host; 0 means no limit.

    Args:
        pages: of the crawl.
        pages_per_host: of each host, ports apart.
    """

    def __init__(self, pages: int, pages_per_host: int) -> None:
        self._pages = pages
        self._pages_per_host = pages_per_host
        self._taken: Counter[str] = Counter()

    def take(self, host: str) -> bool:
        """Take one page, if there is one left."""
        if 0 < self._pages <= self._taken.total() or 0 < self._pages_per_host <= self._taken[host]:
            return False
        self._taken[host] += 1
        return True

"""Counts what a crawl would take and leave out, for `scrapy plan`."""

from typing import Self

from scrapy.crawler import Crawler

from ragcrawler.frontier import Frontier
from ragcrawler.frontier.filters.variants import language_of, version_of
from ragcrawler.frontier.page_limit import PLANNED
from ragcrawler.run.crawl_frontier import frontier_of
from ragcrawler.run.reporting.plan import PlanTally


class PlanExtension:
    """Lets a `PlanTally` observe the frontier; the command reads it in the end.

    Attributes:
        tally: what was counted.
    """

    def __init__(self, frontier: Frontier) -> None:
        self.tally = PlanTally(PLANNED, language_of, version_of)
        frontier.ledger.observers.add(self.tally)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the extension."""
        return cls(frontier_of(crawler))

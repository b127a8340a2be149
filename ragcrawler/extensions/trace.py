"""Keeps the trace of every URL, where that is asked for."""

from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from ragcrawler.frontier import Frontier
from ragcrawler.run.crawl_frontier import frontier_of
from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.run.reporting.folder import RunFolder
from ragcrawler.run.reporting.trace import UrlTrace


class TraceExtension:
    """Lets a `UrlTrace` observe the frontier, which closes it."""

    def __init__(self, frontier: Frontier, folder: RunFolder) -> None:
        frontier.ledger.observers.add(UrlTrace(folder))

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "TraceExtension":
        """Make the extension.

        Raises:
            NotConfigured: TRACE_URLS is off.
        """
        run = CrawlRun.of(crawler)
        if not run.configuration.traces_urls:
            raise NotConfigured  # a reason would be logged as a warning
        return cls(frontier_of(crawler), run.folder)

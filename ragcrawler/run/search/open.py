"""The search of a crawl, from settings and arguments."""

import asyncio
import logging
from collections.abc import Iterable

from scrapy.crawler import Crawler

from ragcrawler.bootstrap.search_engines import search_accesses, search_proxy
from ragcrawler.config.configuration import Configuration
from ragcrawler.config.crawling.politeness import PolitenessConfig
from ragcrawler.config.crawling.search_engines import SearchEnginesConfig
from ragcrawler.frontier import Frontier
from ragcrawler.frontier.filters.rules import UrlRules
from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.run.search.browser import SearchBrowser
from ragcrawler.run.search.refusals import (
    FoundUrlRefusals,
    kept_out_of_catalogue,
    known_urls,
    known_urls_of_catalogue,
)
from ragcrawler.run.search.url_discovery import UrlDiscovery
from ragcrawler.search_engines.collector import SearchCollector
from ragcrawler.search_engines.definitions import DEFINITIONS
from ragcrawler.search_engines.query import SearchQuery
from ragcrawler.search_engines.suspensions import SuspensionStore

logger = logging.getLogger(__name__)


class SearchRun:
    """The engines of a crawl, opened with its first query.

    Args:
        crawler: of the crawl.
        names: of the engines, checked.
        follows: whether the crawl has opened the collection.
    """

    def __init__(self, crawler: Crawler, names: tuple[str, ...], *, follows: bool) -> None:
        self._crawler = crawler
        self._names = names
        self._follows = follows
        self._config = SearchEnginesConfig.from_settings(crawler.settings)
        self._configuration = Configuration.from_settings(crawler.settings)
        self._suspensions = SuspensionStore(self._config.suspensions_path)
        self._proxy = search_proxy(crawler.settings)
        pages = [name for name in names if name in DEFINITIONS]
        hosts = {name: self._config.addresses[name] for name in pages}
        self._browser = SearchBrowser(crawler, self._config, hosts, self._proxy)
        if pages and not self._config.obeys_robots:
            logger.warning(
                "SEARCH_ROBOTS_OBEY is off: pages of results of %s are asked for, whatever their robots.txt "
                "and terms of use say; that is your decision (docs/discover.md)",
                ", ".join(pages),
            )

    def discovery(
        self,
        queries: tuple[SearchQuery, ...],
        *,
        pages: int,
        per_domain: int,
        rules: UrlRules,
        frontier: Frontier,
    ) -> UrlDiscovery:
        """The search for some queries.

        Raises:
            CatalogueError: the catalogue, which says what is kept out, cannot be read.
        """
        kept_out = frontier.kept_out if self._follows else kept_out_of_catalogue(self._configuration)
        accesses = search_accesses(
            self._config,
            self._names,
            proxy=self._proxy,
            product_token=PolitenessConfig.from_settings(self._crawler.settings).product_token,
            browser=lambda: self._browser,
        )
        return UrlDiscovery(
            SearchCollector(accesses, self._suspensions),
            queries,
            pages,
            per_domain,
            FoundUrlRefusals.of(frontier.scope, rules, frontier.options.junk, kept_out),
            self._known,
            frontier.state.notes,
            frontier.totals.count,
        )

    async def close(self) -> None:
        """End the browser, and close the file of suspensions."""
        try:
            await self._browser.close()
        finally:
            self._suspensions.close()

    async def _known(self, urls: Iterable[str]) -> set[str]:
        if not self._follows:
            return await asyncio.to_thread(known_urls_of_catalogue, self._configuration, urls)
        collection = CrawlRun.of(self._crawler).resources.collection
        return await collection.with_catalogue(lambda catalogue: known_urls(catalogue, urls))

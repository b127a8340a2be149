"""`scrapy crawl seeds -a domains=a.org,b.org`: follow the links of some sites, breadth first."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.http import Response
from scrapy.spidermiddlewares.httperror import HttpError
from twisted.python.failure import Failure as TwistedFailure

from ragcrawler.catalogue import site_of
from ragcrawler.config.configuration import Configuration
from ragcrawler.config.discovery import DiscoveryConfig
from ragcrawler.items import Page
from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.run.orders import Orders
from ragcrawler.run.outcomes import SHUTDOWN
from ragcrawler.run.reporting.failures import Failure
from ragcrawler.run.reporting.retry_list import failed_urls
from ragcrawler.spiders.admission import Admission
from ragcrawler.spiders.argument_table import ARGUMENTS
from ragcrawler.spiders.arguments import SeedsArguments
from ragcrawler.spiders.better_addresses import BetterAddresses
from ragcrawler.spiders.claims import Claims
from ragcrawler.spiders.discovery import Discovery
from ragcrawler.spiders.download_failures import explanation, is_missing, skip_or_fail
from ragcrawler.spiders.entrance import Entrance
from ragcrawler.spiders.foresight import Foresight
from ragcrawler.spiders.listing_visit import ListingVisit
from ragcrawler.spiders.page_of import page_of
from ragcrawler.spiders.reading import Reading, read_response
from ragcrawler.spiders.robots_tags import heeded
from ragcrawler.spiders.soft_404 import SoftNotFound, ask_for
from ragcrawler.spiders.visit import Visit
from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError
from ragcrawler.urls.identity import is_same_page
from ragcrawler.urls.links.page_links import PageLinks
from ragcrawler.urls.spellings import Spellings

MAX_PAGES = "max_pages"


class SeedsSpider(Spider):
    """Crawls the given domains and yields a `Page` for each response worth keeping.

    Every URL that is seen is entered in the run's ledger and ends there as fetched, skipped or failed.
    """

    name = "seeds"
    argument_table = ARGUMENTS

    def __init__(self, run: CrawlRun, arguments: SeedsArguments, discovery: DiscoveryConfig) -> None:
        super().__init__()
        self.run = run
        self.ledger = run.ledger
        self.arguments = arguments
        self.scope = arguments.scope
        self.start_urls = list(arguments.start_urls)  # the address guard lets these be private
        self.admission = Admission(arguments, run.configuration.junk_pattern, run.web.traps)
        self.spellings = Spellings()
        self.claims = Claims(arguments.max_pages)
        self.better = BetterAddresses(self.ledger, self.admission, self.claims, self.count)
        self.soft_404 = SoftNotFound(lambda url: ask_for(url, self.crawler), is_on=run.web.finds_soft_404)
        self.discovery = Discovery(discovery, self.scope, self.count)
        self.entrance = Entrance(run, self.admission, Foresight(discovery.plan_pages), self.spellings)
        self._asks_for_listings = discovery.asks(max_depth=arguments.max_depth)

    @classmethod
    def check_arguments(cls, arguments: dict[str, str], settings: Mapping[str, object]) -> None:
        """Refuse wrong arguments before a crawl begins.

        Raises:
            ValueError: says which argument, its value, and what would be right.
        """
        _read_arguments(arguments, Configuration.from_settings(settings).output_folder)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *_: Any, **kwargs: Any) -> Self:
        """Make the spider; `kwargs` are the `-a` arguments."""
        discovery = DiscoveryConfig.from_settings(crawler.settings)
        run = CrawlRun.of(crawler)
        arguments, attempts = _read_arguments(kwargs, run.configuration.output_folder)
        # A page that only a sitemap names is not gone because another crawl does not ask for sitemaps.
        asks = discovery.asks(max_depth=arguments.max_depth)
        run.orders = Orders(
            contains=arguments.scope.contains,
            crawl=f"{arguments.fingerprint} {'listings' if asks else 'links'}",
            attempts=attempts,
            is_dry=arguments.is_dry,
            is_forced=arguments.is_forced,
            max_pages=arguments.max_pages,
        )
        spider = cls(run, arguments, discovery)
        spider._set_crawler(crawler)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        """Ask for the start URLs; they are wanted, so junk patterns and depth do not apply to them."""
        for url in self.arguments.start_urls:
            if self.ledger.seen(url):
                yield self._request(Visit(url))

    async def parse(self, response: Response) -> AsyncIterator[Request | Page]:
        """Yield the page's links, then the page: the scheduler should not wait for the pipelines."""
        asked = Visit.of(response)
        self.spellings.settle(asked.url)
        final_url = self._final_url(asked, response)
        if final_url and not self.claims.holds(final_url):
            async for part in self._visited(replace(asked, url=final_url), response):
                yield part
        is_there = self.claims.holds(final_url)
        for again in self.better.settled((asked.url, final_url), is_there=is_there):
            yield self._request(again)
        if self.claims.is_full:
            raise CloseSpider(MAX_PAGES)

    async def lost(self, failure: TwistedFailure) -> AsyncIterator[Request]:
        """Enter a failed download; a guessed https gets a second chance as http."""
        request: Request = failure.request  # type: ignore[attr-defined]  # set by Scrapy's scraper
        visit = Visit.of(request)
        error = failure.value or RuntimeError("a download failed without an error")
        kind, reason = skip_or_fail(error, running=bool(self.crawler.crawling))
        other_spelling = self.spellings.settle(visit.url)
        if other_spelling and is_missing(error):
            yield self._request(replace(visit, url=other_spelling))
            return
        fallback_url = self.scope.fallback_url(visit.url) if visit.depth == 0 else ""
        if kind == "skipped":
            self.ledger.skipped(visit.url, reason)
        elif fallback_url and self.ledger.seen(fallback_url) and reason != SHUTDOWN:
            self.ledger.skipped(visit.url, "no_https")
            yield self._request(Visit(fallback_url))
        else:
            attempts = request.meta.get("retry_times", 0) + 1
            said = explanation(error)
            self.run.lose(Failure(visit.url, "fetch", reason, type(error).__name__, said, attempts=attempts))
        if reason == SHUTDOWN:
            return
        for again in self.better.settled((visit.url,), is_there=False):
            yield self._request(again)
        if isinstance(error, HttpError):  # a site without a start page may have a sitemap
            for listing in await self._listings(visit, PageLinks()):
                yield self._listing_request(listing)

    async def parse_listing(self, response: Response) -> AsyncIterator[Request]:
        """Ask for what a sitemap, feed or llms.txt names."""
        visit = ListingVisit.of(response)
        listing = await asyncio.to_thread(self.discovery.read, response.body, visit)
        for further in self.discovery.further(listing, visit):
            yield self._listing_request(further)
        for found in self.entrance.of_listing(self.discovery.pages(listing, visit), visit.url):
            twin = self.better.of_text_twin(found) if listing.kind == "llms_text" else None
            for wanted in [found] if twin is None else twin:
                yield self._request(wanted)

    def lost_listing(self, failure: TwistedFailure) -> Iterator[Request]:
        """Look in the other usual place; most sites have no such file, which loses nothing."""
        request: Request = failure.request  # type: ignore[attr-defined]  # set by Scrapy's scraper
        error = failure.value or RuntimeError("a download failed without an error")
        if skip_or_fail(error, running=True)[0] == "failed":
            self.run.blind_sites.add(site_of(request.url))
        for elsewhere in self.discovery.missing(ListingVisit.of(request)):
            yield self._listing_request(elsewhere)

    def count(self, name: str, amount: int = 1) -> None:
        """Add to a stat of ours."""
        self.crawler.stats.inc_value(f"ragcrawler/{name}", amount)

    def _final_url(self, visit: Visit, response: Response) -> str:
        """The canonical URL that answered, "" where it is none."""
        try:
            final_url = canonical_url(response.url)
        except UrlError as error:
            self.ledger.skipped(visit.url, error.reason)
            return ""
        if self.run.trace is not None:
            self.run.trace.answered(visit.url, final_url)
        if not is_same_page(final_url, visit.url):
            self.ledger.skipped(visit.url, "redirected")
            self.ledger.seen(final_url)
            self.entrance.note(replace(visit, url=final_url))
        return final_url

    async def _visited(self, visit: Visit, response: Response) -> AsyncIterator[Request | Page]:
        if self.claims.is_full:
            self.ledger.skipped(visit.url, MAX_PAGES)
            return
        if visit.depth and await self.soft_404.is_missing(response, visit.url):
            self.ledger.skipped(visit.url, "soft_404")
            return
        limit = self.run.configuration.max_links
        politeness = self.run.politeness
        token = politeness.product_token
        reading = await asyncio.to_thread(
            read_response, response, visit.url, max_links=limit, product_token=token
        )
        reading = heeded(reading, response, politeness)
        for request in self._follow(reading.links, visit):
            yield request
        for listing in await self._listings(visit, reading.links):
            yield self._listing_request(listing)
        for part in self._kept(visit, reading, response):
            yield part

    def _kept(self, visit: Visit, reading: Reading, response: Response) -> Iterator[Request | Page]:
        """The page, or requests for what is better than it."""
        if reading.is_listing:
            self.ledger.skipped(visit.url, "listing")
            return
        if reading.noindex:
            self.ledger.skipped(visit.url, "noindex")
            return
        better = self.better.of_page(visit, reading.links.canonical)
        if better is not None:
            yield from map(self._request, better)
            return
        claim = self.claims.take(visit.url)
        if claim == "taken":
            yield page_of(response, visit)
        elif claim == "full":
            self.ledger.skipped(visit.url, MAX_PAGES)

    async def _listings(self, visit: Visit, links: PageLinks) -> list[ListingVisit]:
        if visit.depth or not self._asks_for_listings:
            return []
        of_start = await self.discovery.of_start(visit.url, self.run.robots)
        return [*of_start, *self.discovery.of_feeds(visit.url, links.feeds)]

    def _follow(self, links: PageLinks, page: Visit) -> Iterator[Request]:
        self.count("links/cut", links.cut)
        self.count("links/unusable", links.unusable)
        self.count("links/nofollow", len(links.nofollow))
        yield from map(self._request, self.entrance.of_page(links, page))

    def _request(self, visit: Visit) -> Request:
        self.entrance.note(visit)
        self.spellings.ask(visit.url)
        # The ledger has seen to it that each URL comes once: Scrapy's own filter would only cost memory.
        return Request(visit.url, callback=self.parse, errback=self.lost, dont_filter=True, meta=visit.meta)

    def _listing_request(self, visit: ListingVisit) -> Request:
        return Request(
            visit.url,
            callback=self.parse_listing,
            errback=self.lost_listing,
            dont_filter=True,
            priority=10,  # before the pages: a crawl with a bound should choose among all
            meta=visit.meta,
        )


def _read_arguments(arguments: Mapping[str, str], output: Path) -> tuple[SeedsArguments, Mapping[str, int]]:
    """The arguments, and how often the URLs of `retry_failed` were tried before."""
    run = arguments.get("retry_failed", "")
    failed = failed_urls(output, run) if run else {}
    return SeedsArguments.parse(arguments, failed), failed

"""`scrapy crawl seeds -a domains=a.org,b.org`: follow the links of some sites, breadth first."""

from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import replace
from typing import Any, Self

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.http import Response
from twisted.python.failure import Failure as TwistedFailure

from ragcrawler.frontier import Keep, Lost, Target
from ragcrawler.frontier.frontier import MAX_PAGES
from ragcrawler.frontier.scope import Scope
from ragcrawler.items import Page
from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.run.meta_keys import LISTING, TARGET
from ragcrawler.spiders.argument_table import ARGUMENTS
from ragcrawler.spiders.download_failures import (
    failure_of,
    fetch_failure,
)
from ragcrawler.spiders.seeds_setup import SeedsSetup, read_arguments

_LISTINGS_FIRST = 10  # before the pages: a crawl with a bound should choose among all


class SeedsSpider(Spider):
    """Crawls the given domains and yields a `Page` for each response worth keeping.

    Which URLs these are is the frontier's decision; each of them ends there as fetched, skipped or failed.
    """

    name = "seeds"
    argument_table = ARGUMENTS

    def __init__(self, setup: SeedsSetup) -> None:
        super().__init__()
        self.frontier = setup.frontier
        self.options = setup.options
        self.reader = setup.reader
        self.start_urls = list(self.frontier.options.named_urls)  # the address guard lets these be private

    @classmethod
    def check_arguments(cls, arguments: dict[str, str], settings: Mapping[str, object]) -> None:
        """Refuse wrong arguments before a crawl begins.

        Raises:
            ValueError: says which argument, its value, and what would be right.
        """
        read_arguments(arguments, settings)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *_: Any, **kwargs: Any) -> Self:
        """Make the spider; `kwargs` are the `-a` arguments."""
        spider = cls(SeedsSetup.open(crawler, kwargs))
        spider._set_crawler(crawler)
        return spider

    @property
    def scope(self) -> Scope:
        """What may be fetched."""
        return self.frontier.scope

    async def start(self) -> AsyncIterator[Request]:
        """Ask for the URLs that the user named."""
        for request in self.requests(self.frontier.start()):
            yield request

    async def parse(self, response: Response) -> AsyncIterator[Request | Page]:
        """Yield what follows from a page, then the page: the scheduler should not wait for the pipelines."""
        asked: Target = response.meta[TARGET]
        final = self.frontier.answered(asked, response.url)
        page = await self.reader.read(response, final)
        decision = self.frontier.fetched(asked, final, page)
        for request in self.requests(decision.targets):
            yield request
        if isinstance(decision, Keep):
            yield decision.page
        if self.frontier.is_full:
            raise CloseSpider(MAX_PAGES)

    async def parse_listing(self, response: Response) -> AsyncIterator[Request]:
        """Ask for what a sitemap, feed or llms.txt names."""
        asked: Target = response.meta[TARGET]
        listing = await self.reader.read_listing(response, asked)
        for request in self.requests(self.frontier.listed(asked, listing)):
            yield request

    async def lost(self, failure: TwistedFailure) -> AsyncIterator[Request]:
        """Ask for what follows from a failed download."""
        request: Request = failure.request  # type: ignore[attr-defined]  # set by Scrapy's scraper
        target: Target = request.meta[TARGET]
        error = failure.value or RuntimeError("a download failed without an error")
        why = fetch_failure(error, running=bool(self.crawler.crawling))
        if why.is_answer:
            why = replace(why, sitemaps=await self.reader.sitemaps(target))
        decision = self.frontier.failed(target, why)
        if isinstance(decision, Lost):
            CrawlRun.of(self.crawler).lose(failure_of(request, error, decision.reason))
        for further in self.requests(decision.targets):
            yield further

    def requests(self, targets: Iterable[Target]) -> Iterable[Request]:
        """The requests for some targets; seeds that others find come in by `frontier.add_seeds`."""
        for target in targets:
            yield Request(
                target.url,
                callback=self.parse_listing if target.listing else self.parse,
                errback=self.lost,
                # In the ledger each URL comes once: Scrapy's own filter would only cost memory.
                dont_filter=True,
                priority=_LISTINGS_FIRST if target.listing else 0,
                # "url" is what other components know a page by.
                meta={TARGET: target, "url": target.url, **({LISTING: True} if target.listing else {})},
            )

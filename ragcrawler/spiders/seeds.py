"""`scrapy crawl seeds -a domains=a.org,b.org`: follow the links of some sites, breadth first."""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Self

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.http import Response
from twisted.python.failure import Failure as TwistedFailure

from ragcrawler.frontier import FetchFailure, Keep, LeaseLostError, Lost, Target
from ragcrawler.frontier.frontier import MAX_PAGES
from ragcrawler.frontier.scope import Scope
from ragcrawler.frontier.target_queue import LeasedTarget
from ragcrawler.items import Page
from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.run.meta_keys import LISTING, TARGET
from ragcrawler.run.outcomes import LEASE_LOST
from ragcrawler.run.reporting.failures import Failure
from ragcrawler.spiders.argument_table import ARGUMENTS, Argument, shown_arguments
from ragcrawler.spiders.responses.download_failures import failure_of, failure_of_crashes, fetch_failure
from ragcrawler.spiders.seeds_setup import SeedsSetup, check_seeds


class SeedsSpider(Spider):
    """Crawls the given domains and yields a `Page` for each response worth keeping.

    Which URLs these are is the frontier's decision; each of them ends there as fetched, skipped or failed.
    """

    name = "seeds"
    argument_table: ClassVar[tuple[Argument, ...]] = ARGUMENTS  # a subclass adds its own
    shown_arguments: Mapping[str, str]

    def __init__(self, setup: SeedsSetup) -> None:
        super().__init__()
        self.frontier = setup.frontier
        self.options = setup.options
        self.reader = setup.reader
        self.saved_crawl = setup.saved_crawl
        self.start_urls = list(self.frontier.options.named_urls)  # the address guard lets these be private

    @classmethod
    def check_arguments(cls, arguments: dict[str, str], settings: Mapping[str, object]) -> None:
        """Refuse wrong arguments before a crawl begins.

        Raises:
            ValueError: says which argument, its value, and what would be right.
        """
        check_seeds(arguments, settings, cls)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *_: Any, **kwargs: Any) -> Self:
        """Make the spider; `kwargs` are the `-a` arguments."""
        spider = cls(SeedsSetup.open(crawler, kwargs, cls))
        spider.shown_arguments = shown_arguments(cls.argument_table, kwargs)
        spider._set_crawler(crawler)
        return spider

    @property
    def scope(self) -> Scope:
        """The sites that may be fetched."""
        return self.frontier.scope

    async def start(self) -> AsyncIterator[Request]:
        """Queue the URLs that the user named; the scheduler asks for `request_for` each target."""
        with self.frontier.effects.transaction():
            self.frontier.start()
        for request in tuple[Request, ...]():
            yield request

    async def parse(self, response: Response) -> AsyncIterator[Page]:
        """Yield the page, if it is kept; what follows from it is in the frontier's queue."""
        asked: Target = response.meta[TARGET]
        try:
            final = self.frontier.resolve_redirect(asked, response.url)
        except LeaseLostError:
            self.frontier.effects.note_lost(asked.url)
            return
        page = await self.reader.read(response, final)
        decision = self.frontier.effects.judge(asked, final, page)
        if isinstance(decision, Keep):
            yield decision.page
        if self.frontier.is_full:
            raise CloseSpider(MAX_PAGES)

    async def parse_listing(self, response: Response) -> None:
        """Queue what a sitemap, feed or llms.txt names."""
        asked: Target = response.meta[TARGET]
        listing = await self.reader.read_listing(response, asked)
        with self.frontier.effects.transaction():
            self.frontier.add_listing(asked, listing)

    async def handle_failure(self, failure: TwistedFailure) -> None:
        """Queue what follows from a failed download."""
        request: Request = failure.request  # type: ignore[attr-defined]  # set by Scrapy's scraper
        target: Target = request.meta[TARGET]
        error = failure.value or RuntimeError("a download failed without an error")
        why = fetch_failure(error, running=bool(self.crawler.crawling))
        if why.is_shutdown:  # the page stays open, for a later run
            return
        if why.reason == LEASE_LOST:
            self.frontier.effects.note_lost(target.url)
            return
        if why.is_answer:
            why = replace(why, sitemaps=await self.reader.sitemaps(target))
        self._fail(target, why, lambda reason: failure_of(request, error, reason))

    def give_up(self, leased: LeasedTarget) -> None:
        """Enter a page as lost over which process after process died."""
        self._fail(leased.target, FetchFailure("crashes"), lambda reason: failure_of_crashes(leased, reason))

    def _fail(self, target: Target, why: FetchFailure, failure: Callable[[str], Failure]) -> None:
        def work() -> None:
            decision = self.frontier.failed(target, why)
            if isinstance(decision, Lost):
                CrawlRun.of(self.crawler).lose(failure(decision.reason))

        self.frontier.effects.while_held(target, work)

    def request_for(self, leased: LeasedTarget) -> Request:
        """The request for a target."""
        target = leased.target
        more = {LISTING: bool(target.listing), "retry_times": leased.retries}
        # "url" is what other components know a page by.
        meta = {TARGET: target, "url": target.url} | {key: value for key, value in more.items() if value}
        return Request(
            target.url,
            callback=self.parse_listing if target.listing else self.parse,
            errback=self.handle_failure,
            dont_filter=True,  # in the ledger each URL comes once: Scrapy's own filter would only cost memory
            meta=meta,
        )

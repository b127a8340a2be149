"""`scrapy crawl seeds -a domains=a.org,b.org`: follow the links of some sites, breadth first."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Any, Self

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.http import Response
from twisted.python.failure import Failure as TwistedFailure
from w3lib.encoding import html_body_declared_encoding

from ragcrawler.conversion.encoding import charset_of
from ragcrawler.items import Page
from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.run.failures import Failure
from ragcrawler.run.losses import SHUTDOWN
from ragcrawler.spiders.admission import Admission
from ragcrawler.spiders.arguments import SeedsArguments
from ragcrawler.spiders.download_failures import skip_or_fail
from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError
from ragcrawler.urls.identity import document_id
from ragcrawler.urls.links import PageLinks, extract_links
from ragcrawler.urls.web_encoding import web_encoding

MAX_PAGES = "max_pages"


class SeedsSpider(Spider):
    """Crawls the given domains and yields a `Page` for each response worth keeping.

    Every URL that is seen is entered in the run's ledger and ends there as fetched, skipped or failed.
    """

    name = "seeds"

    def __init__(self, run: CrawlRun, arguments: SeedsArguments) -> None:
        super().__init__()
        self.run = run
        self.ledger = run.ledger
        self.arguments = arguments
        self.scope = arguments.scope
        self.admission = Admission(arguments, run.configuration.junk_pattern)
        self._claimed: set[str] = set()

    @classmethod
    def check_arguments(cls, arguments: dict[str, str]) -> None:
        """Refuse wrong arguments before a crawl begins.

        Raises:
            ValueError: says which argument, its value, and what would be right.
        """
        SeedsArguments.parse(arguments)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *_: Any, **kwargs: Any) -> Self:
        """Make the spider; `kwargs` are the `-a` arguments."""
        spider = cls(CrawlRun.of(crawler), SeedsArguments.parse(kwargs))
        spider._set_crawler(crawler)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        """Ask for the start URLs; they are wanted, so junk patterns and depth do not apply to them."""
        for url in self.arguments.start_urls:
            if self.ledger.seen(url):
                yield self._request(url, depth=0, parent_url="")

    async def parse(self, response: Response) -> AsyncIterator[Request | Page]:
        """Yield the page's links, then the page: the scheduler should not wait for the pipelines."""
        final_url = self._claim(response)
        if not final_url:
            return
        links = await asyncio.to_thread(self._links, response, final_url)
        for request in self._follow(links, final_url, response.meta["depth"] + 1):
            yield request
        yield self._page(response, final_url)
        if self._is_full():
            raise CloseSpider(MAX_PAGES)

    def lost(self, failure: TwistedFailure) -> Iterator[Request]:
        """Enter a failed download; a guessed https gets a second chance as http."""
        request: Request = failure.request  # type: ignore[attr-defined]  # set by Scrapy's scraper
        url = request.meta["url"]
        error = failure.value or RuntimeError("a download failed without an error")
        kind, reason = skip_or_fail(error, running=bool(self.crawler.crawling))
        fallback_url = self.scope.fallback_url(url) if request.meta["depth"] == 0 else ""
        if kind == "skipped":
            self.ledger.skipped(url, reason)
        elif fallback_url and self.ledger.seen(fallback_url) and reason != SHUTDOWN:
            self.ledger.skipped(url, "no_https")
            yield self._request(fallback_url, depth=0, parent_url="")
        else:
            self.run.lose(Failure(url, "fetch", reason, type(error).__name__, str(error)[:1000]))

    def _claim(self, response: Response) -> str:
        """The canonical final URL, or "" where this page is not wanted or another response was first."""
        url = response.meta["url"]
        try:
            final_url = canonical_url(response.url)
        except UrlError as error:
            self.ledger.skipped(url, error.reason)
            return ""
        if final_url != url:
            self.ledger.skipped(url, "redirected")
            self.ledger.seen(final_url)
        if self._is_full():
            self.ledger.skipped(final_url, MAX_PAGES)
            return ""
        key = document_id(final_url)
        if key in self._claimed:
            return ""
        self._claimed.add(key)
        return final_url

    def _links(self, response: Response, page_url: str) -> PageLinks:
        content_type = _header(response, "Content-Type")
        if "html" not in (content_type or "text/html").lower():
            return PageLinks()
        # Not `response.encoding`: it tries whatever codec of Python's a page claims, "punycode" say.
        label = charset_of(content_type) or html_body_declared_encoding(response.body) or "utf-8"
        limit = self.run.configuration.max_links
        return extract_links(response.body, page_url, web_encoding(label), max_links=limit)

    def _follow(self, links: PageLinks, page_url: str, depth: int) -> Iterator[Request]:
        self.crawler.stats.inc_value("ragcrawler/links/cut", links.cut)
        self.crawler.stats.inc_value("ragcrawler/links/unusable", links.unusable)
        for url in links:
            if not self.ledger.seen(url):
                continue
            refusal = self.admission.refusal(url, depth)
            if refusal:
                self.ledger.skipped(url, refusal)
            else:
                yield self._request(url, depth=depth, parent_url=page_url)

    def _request(self, url: str, *, depth: int, parent_url: str) -> Request:
        # The ledger has seen to it that each URL comes once: Scrapy's own filter would only cost memory.
        return Request(
            url,
            callback=self.parse,
            errback=self.lost,
            dont_filter=True,
            meta={"url": url, "depth": depth, "parent_url": parent_url},
        )

    def _page(self, response: Response, final_url: str) -> Page:
        return Page(
            id=document_id(final_url),
            url=response.meta["url"],
            final_url=final_url,
            body=response.body,
            content_type=_header(response, "Content-Type"),
            status=response.status,
            fetched_at=datetime.now(UTC).isoformat(timespec="seconds"),
            depth=response.meta["depth"],
            parent_url=response.meta["parent_url"],
            etag=_header(response, "ETag"),
            last_modified=_header(response, "Last-Modified"),
        )

    def _is_full(self) -> bool:
        return 0 < self.arguments.max_pages <= len(self._claimed)


def _header(response: Response, name: str) -> str:
    return (response.headers.get(name) or b"").decode("latin-1")

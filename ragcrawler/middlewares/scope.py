"""No request leaves the whitelist, redirects included."""

from urllib.parse import urlsplit

from scrapy import Request
from scrapy.crawler import Crawler

from ragcrawler.frontier.filters.kept_out import KEPT_OUT
from ragcrawler.run.crawl_frontier import frontier_of
from ragcrawler.run.meta_keys import LISTING, PAGE_RESOURCE
from ragcrawler.run.outcomes import RequestRefused
from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError


class ScopeMiddleware:
    """Refuses what the spider's `scope` does not contain, or the collection keeps out.

    Spiders without a scope are left alone. A link is judged before it becomes a request; this is for what a
    server redirects to. The `robots.txt` of a host stands outside of a path prefix and is let through, and so
    are its sitemaps. What a page's scripts ask for may be anywhere.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._frontier = frontier_of(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "ScopeMiddleware":
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Let the request pass, or refuse it.

        Raises:
            RequestRefused: it is out of scope, or kept out.
        """
        # A redirect takes its request's meta along: another host would share the slot of the first.
        request.meta.pop("download_slot", None)
        scope = getattr(self._crawler.spider, "scope", None)
        if scope is None or request.meta.get("dont_obey_robotstxt") or PAGE_RESOURCE in request.meta:
            return
        try:
            url = canonical_url(request.url)
        except UrlError as error:
            raise RequestRefused(error.reason, str(error)) from error
        if not (scope.covers_host(url) if LISTING in request.meta else scope.contains(url)):
            self._crawler.stats.inc_value("ragcrawler/scope/refused")
            raise RequestRefused("offsite", f"{urlsplit(url).netloc} is not in the scope of this crawl")
        if LISTING not in request.meta and self._frontier.kept_out.covers(url):
            raise RequestRefused(KEPT_OUT, f"{url} is kept out of the collection")

"""No request goes to an address that only this machine or its network can reach."""

from typing import Any
from urllib.parse import urlsplit

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.utils.reactor import is_reactor_installed
from scrapy.utils.spider import DefaultSpider

from ragcrawler.middlewares.address_guard.crawl_guard import crawl_guard
from ragcrawler.middlewares.address_guard.guarded_resolver import GuardedResolver
from ragcrawler.run.meta_keys import PAGE_RESOURCE
from ragcrawler.run.outcomes import RequestRefused
from ragcrawler.urls.address_guard import AddressGuard, UnsafeAddressError
from ragcrawler.urls.errors import UrlError

_NOTHING_NAMED = AddressGuard()


def check_subresource(request: Request) -> None:
    """Block cross-origin requests to private hosts that the operator allowed.

    Raises:
        UnsafeAddressError: a page requests a private host that is not its own, directly or by a redirect.
    """
    page_url = request.meta.get(PAGE_RESOURCE)
    if page_url and urlsplit(request.url)[:2] != urlsplit(page_url)[:2]:
        _NOTHING_NAMED.check_url(request.url)


class AddressGuardMiddleware:
    """Judges each request's URL, redirects, robots.txt and sitemaps included.

    What the name resolves to is judged where the connection is made: by `GuardedResolver`, which this puts
    before the reactor's resolver, or by the download handler of crawls without a reactor. Through a proxy the
    URL is all there is to judge.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        crawler.signals.connect(self._leave, signal=signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "AddressGuardMiddleware":
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Let the request pass, or refuse it.

        Raises:
            RequestRefused: its URL is unsafe, or names a private address.
        """
        guard = crawl_guard(self._crawler)
        try:
            if isinstance(self._crawler.spider, DefaultSpider) and "redirect_times" not in request.meta:
                guard.name(request.url)  # typed by hand: `scrapy fetch`, `scrapy shell`
            guard.check_url(request.url)
            check_subresource(request)
        except UnsafeAddressError as error:
            self._refuse(error.reason, str(error))
        except UrlError as error:
            self._refuse("unsafe_url", str(error))
        names = self._names()
        if names is not None and guard not in names.guards:
            names.guards.append(guard)

    def _refuse(self, reason: str, message: str) -> None:
        self._crawler.stats.inc_value(f"ragcrawler/guard/{reason}")
        raise RequestRefused(reason, message)

    def _leave(self) -> None:
        names = self._names()
        guard = crawl_guard(self._crawler)
        if names is not None and guard in names.guards:
            names.guards.remove(guard)

    def _names(self) -> GuardedResolver | None:
        if not is_reactor_installed() or not self._crawler.settings.getbool("TWISTED_REACTOR_ENABLED"):
            return None
        reactor: Any
        from twisted.internet import reactor

        return GuardedResolver.on_reactor(reactor)

"""Sends requests through proxies in turn, by the settings of scrapy-rotating-proxies.

The middleware of that package is replaced: it moves requests into the download slot of the proxy's host, so
that delays no longer hold for each site; what it does to close the spider has no effect; it logs credentials.
"""

import logging
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.defer import deferred_from_coro

from ragcrawler.config.crawling.proxies import ProxyConfig
from ragcrawler.middlewares.proxies.ban_detection import BAN, PROXY
from ragcrawler.middlewares.proxies.rotation import ProxyRotation
from ragcrawler.run.outcomes import NoProxiesError

if TYPE_CHECKING:
    from ragcrawler.tor.exits import TorExits

logger = logging.getLogger(__name__)

_RETRIES = "proxy_retry_times"


class RotatingProxyMiddleware:
    """Gives each request a proxy, unless its `meta` has one; a banned request is tried again with another."""

    def __init__(self, crawler: Crawler, config: ProxyConfig) -> None:
        self._crawler = crawler
        self._config = config
        self._rotation = ProxyRotation(config)
        self._tor = _tor_exits(config)
        self._closing: Any = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "RotatingProxyMiddleware":
        """Make the middleware; `NotConfigured` where there is no list, `SettingError` where it is wrong."""
        return cls(crawler, ProxyConfig.from_settings(crawler.settings))

    async def process_request(self, request: Request) -> None:
        """Choose a proxy.

        Raises:
            NoProxiesError: none is left; the spider is closed.
        """
        if "proxy" in request.meta and PROXY not in request.meta:
            return
        request.meta.pop(PROXY, None)  # of the request that was redirected to this one
        try:
            name = await self._rotation.choose()
        except NoProxiesError as error:
            self._close_spider(error)
            raise
        request.meta[PROXY] = name
        request.meta["proxy"] = self._config.addresses[name]

    async def process_response(self, request: Request, response: Response) -> Request | Response:
        """Keep in mind what the response says of its proxy; after a ban, try another."""
        name = request.meta.get(PROXY)
        if name is None:
            return response
        self._rotation.record_response()
        if request.meta.get(BAN):
            await self._ban(name)
            return self._retry(request) or response
        self._rotation.works(name)
        self._count(name, "responses")
        return response

    def process_exception(self, request: Request, exception: Exception) -> Request | None:
        """Try another proxy where the exception is a ban."""
        if PROXY not in request.meta or not request.meta.get(BAN):
            return None
        name = request.meta[PROXY]
        logger.debug("%s through %s: %r", request, name, exception)
        self._rotation.fail(name)
        self._count(name, "failures")
        return self._retry(request)

    async def _ban(self, name: str) -> None:
        """Take another exit where the proxy can; else it rests."""
        if not await self._has_another_exit(name):
            self._rotation.ban(name)
        self._count(name, "bans")

    async def _has_another_exit(self, name: str) -> bool:
        if self._tor is None:
            return False
        from ragcrawler.tor.errors import TorError

        try:
            is_new = await self._tor.renew(self._config.addresses[name])
        except TorError as error:
            logger.warning("No new circuits behind %s: %s", name, error)
            return False
        if is_new:
            self._crawler.stats.inc_value("ragcrawler/proxies/renewals")
        return is_new

    def _retry(self, request: Request) -> Request | None:
        retries = request.meta.get(_RETRIES, 0) + 1
        if retries > request.meta.get("max_proxies_to_try", self._config.page_retries):
            return None
        self._crawler.stats.inc_value("ragcrawler/proxies/retries")
        retry = request.replace(dont_filter=True)
        for key in ("proxy", PROXY, BAN, "_auth_proxy"):
            retry.meta.pop(key, None)
        # A request that waits may be written to disk, where credentials have no business.
        retry.headers.pop(b"Proxy-Authorization", None)
        retry.meta[_RETRIES] = retries
        return retry

    def _close_spider(self, error: NoProxiesError) -> None:
        if self._closing is None and self._crawler.engine is not None:
            logger.error("The crawl ends: %s", error)
            self._closing = deferred_from_coro(self._crawler.engine.close_spider_async(reason="no_proxies"))

    def _count(self, name: str, outcome: str) -> None:
        self._crawler.stats.inc_value(f"ragcrawler/proxies/by_proxy/{name}/{outcome}")
        for state, proxies in self._rotation.counts().items():
            self._crawler.stats.set_value(f"ragcrawler/proxies/{state}", proxies)


def _tor_exits(config: ProxyConfig) -> "TorExits | None":
    if not config.tor_exits:
        return None
    from ragcrawler.tor.exits import TorExits

    return TorExits(config.tor_exits)

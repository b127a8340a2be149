"""Tells whether a proxy was banned, by the policy that `ROTATING_PROXY_BAN_POLICY` names."""

from typing import Any, Protocol

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.misc import build_from_crawler, load_object

from ragcrawler.config.crawling.proxies import ProxyConfig

PROXY = "_rotating_proxy"
"""`meta` key: the name of the proxy that was chosen for the request; other requests are not judged."""

BAN = "_ban"
"""`meta` key: what was found out, for the middleware that rotates; keys of scrapy-rotating-proxies."""

_DEFAULT_POLICY = "ragcrawler.middlewares.ban_policy.PageBanPolicy"


class BanPolicy(Protocol):
    """The interface of scrapy-rotating-proxies; None means: cannot tell."""

    def response_is_ban(self, request: Request, response: Response) -> bool | None:
        """Whether the response was said to the proxy's address."""

    def exception_is_ban(self, request: Request, exception: Exception) -> bool | None:
        """Whether the exception is the proxy's fault."""


class BanDetectionMiddleware:
    """Asks the policy; a spider with methods of the same names is asked instead."""

    def __init__(self, crawler: Crawler, policy: BanPolicy) -> None:
        self._crawler = crawler
        self._policy = policy

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "BanDetectionMiddleware":
        """Make the middleware.

        Raises:
            NotConfigured: there is no list of proxies.
            SettingError: a setting is wrong.
        """
        ProxyConfig.from_settings(crawler.settings)
        policy = load_object(crawler.settings.get("ROTATING_PROXY_BAN_POLICY") or _DEFAULT_POLICY)
        return cls(crawler, build_from_crawler(policy, crawler))

    def process_response(self, request: Request, response: Response) -> Response:
        """Note a ban on the request."""
        if PROXY in request.meta:
            self._note(request, self._ask("response_is_ban")(request, response), str(response.status))
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        if PROXY in request.meta:
            ban = self._ask("exception_is_ban")(request, exception)
            self._note(request, ban, type(exception).__name__)

    def _ask(self, method: str) -> Any:
        return getattr(self._crawler.spider, method, None) or getattr(self._policy, method)

    def _note(self, request: Request, ban: bool | None, what: str) -> None:
        request.meta[BAN] = ban
        if ban:
            self._crawler.stats.inc_value(f"ragcrawler/proxies/bans/{what}")

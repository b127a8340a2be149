"""Runs the scripts of pages that are nothing without them.

A page is downloaded as every other. Where its text is thin beside its scripts it is given to a browser, and
this crawl's downloader answers every request of the browser: with the address guard, robots.txt, the delays,
the proxies and the limits that hold for pages.
"""

import asyncio
import logging
from html import escape

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response

from ragcrawler.middlewares.javascript.browser.downloads import Downloads, static_page
from ragcrawler.middlewares.javascript.browser.errors import RenderError
from ragcrawler.middlewares.javascript.browser.page_resources import PageResources
from ragcrawler.middlewares.javascript.browser.renderer import Renderer
from ragcrawler.middlewares.javascript.browser.script_cache import ScriptCache
from ragcrawler.middlewares.javascript.browser.static_page import Rendering
from ragcrawler.middlewares.javascript.config import JavaScriptConfig
from ragcrawler.rendering.budget import PageBudget
from ragcrawler.rendering.chromium import BrowserMissing
from ragcrawler.rendering.decision import Decision, RenderPolicy
from ragcrawler.run.meta_keys import LISTING

RENDERED = "javascript"
"""Flag of such a response."""
# The validators vouch for what was sent: an application changes its text without changing its shell.
_NOT_KEPT = ("ETag", "Last-Modified", "Content-Type", "Content-Length")
logger = logging.getLogger(__name__)
_OK = 200
_PREFIX = "ragcrawler/javascript/"


def rendered_response(response: Response, rendering: Rendering) -> Response:
    """Make it; where the page wanted to go stands in it as a refresh, which is followed as a link."""
    headers = response.headers.copy()
    for name in _NOT_KEPT:
        headers.pop(name, None)
    headers["Content-Type"] = "text/html; charset=utf-8"
    html = rendering.html
    if rendering.wanted_url:
        url = rendering.wanted_url.replace("'", "%27").replace('"', "%22")  # either ends the URL of a refresh
        html += f'\n<meta http-equiv="refresh" content="0; url={escape(url)}">'
    # A lone surrogate, which a script can make, is no character.
    body = html.encode("utf-8", "replace")
    return response.replace(headers=headers, body=body, encoding="utf-8", flags=[*response.flags, RENDERED])


class JavaScriptMiddleware:
    """Gives the spider the rendered page in place of the static one, where that has more to say.

    The sums: `wanted` pages are `rendered`, `never_gains` (others of their kind did not), `over_budget` or
    `no_browser`; `rendered` ones are `gained`, `not_gained` or `errors/<reason>`.
    """

    def __init__(self, crawler: Crawler, config: JavaScriptConfig) -> None:
        self._crawler = crawler
        self._policy = RenderPolicy(config.mode, PageBudget(config.max_pages, config.max_pages_per_host))
        resources = PageResources(Downloads(crawler).ask, ScriptCache(), self._count)
        self._renderer = Renderer(crawler, config, resources)
        self._is_missing = False
        crawler.signals.connect(self._renderer.close, signal=signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "JavaScriptMiddleware":
        """Make the middleware.

        Raises:
            NotConfigured: `JAVASCRIPT` is "never".
            SettingError: a setting is wrong.
        """
        config = JavaScriptConfig.from_settings(crawler.settings)
        if config.mode == "never":
            raise NotConfigured  # without a reason: Scrapy would warn of it in every crawl
        return cls(crawler, config)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Give the page that has more content."""
        if not self._is_page(request, response):
            return response
        decision = self._policy.decide(response.url, response.body)
        if decision is Decision.STATIC:
            return response
        self._count("wanted")
        if decision is Decision.RENDER and self._is_missing:
            self._count("no_browser")
        elif decision is Decision.RENDER:
            return await self._render(response)
        else:
            self._count(decision.value)
        return response

    def _is_page(self, request: Request, response: Response) -> bool:
        return (
            isinstance(response, HtmlResponse)
            and response.status == _OK
            # What the spider asks for has its URL there; robots.txt, sitemaps and scripts are no pages, even
            # where a site answers everything with its start page.
            and "url" in request.meta
            and LISTING not in request.meta
            and bool(self._crawler.crawling)
        )

    async def _render(self, response: Response) -> Response:
        try:
            rendering = await self._renderer.render(static_page(response))
        except BrowserMissing as error:
            self._miss(error)
            return response
        except RenderError as error:
            logger.debug("%s is kept as it was sent: %s", response.url, error)
            self._fail(response, error.reason)
            return response
        except asyncio.CancelledError:
            self._fail(response, "shutdown")
            raise
        self._count("rendered")
        changed = rendered_response(response, rendering)
        gained = self._policy.learn(response.url, response.body, changed.body)
        self._count("gained" if gained else "not_gained")
        return changed if gained else response

    def _fail(self, response: Response, reason: str) -> None:
        self._policy.record_failure(response.url)
        self._count("rendered")
        self._count(f"errors/{reason}")

    def _miss(self, error: BrowserMissing) -> None:
        self._count("no_browser")
        if not self._is_missing:
            self._is_missing = True
            logger.warning(
                "Pages that need JavaScript are kept as they were sent, most of them without their text: %s",
                error,
            )

    def _count(self, what: str) -> None:
        self._crawler.stats.inc_value(f"{_PREFIX}{what}")

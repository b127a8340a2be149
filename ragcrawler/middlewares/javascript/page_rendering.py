"""The renderings of a crawl: decided, done, counted."""

import asyncio
import logging

from scrapy import signals
from scrapy.crawler import Crawler

from ragcrawler.config.crawling.javascript import JavaScriptConfig
from ragcrawler.middlewares.javascript.browser.downloads import Downloads
from ragcrawler.middlewares.javascript.browser.errors import RenderError
from ragcrawler.middlewares.javascript.browser.page_resources import PageResources
from ragcrawler.middlewares.javascript.browser.renderer import BrowserRenderer
from ragcrawler.middlewares.javascript.browser.script_cache import ScriptCache
from ragcrawler.middlewares.javascript.browser.static_page import Rendering, StaticPage
from ragcrawler.rendering.budget import PageBudget
from ragcrawler.rendering.chromium import BrowserMissing
from ragcrawler.rendering.decision import Decision, RenderPolicy
from ragcrawler.run.crawl_run import CrawlRun

logger = logging.getLogger(__name__)
_PREFIX = "ragcrawler/javascript/"


class PageRendering:
    """Runs the scripts of pages in the crawl's one browser, within its one budget.

    The sums: `wanted` pages are `rendered`, `never_gains` (others of their kind did not), `over_budget` or
    `no_browser`; `rendered` ones are `gained`, `not_gained` or `errors/<reason>`.

    Args:
        crawler: whose downloader and stats are used.
        config: of the browser and the budget.

    Attributes:
        policy: decides, and learns from what is rendered.
    """

    def __init__(self, crawler: Crawler, config: JavaScriptConfig) -> None:
        self._crawler = crawler
        self._activity = CrawlRun.of(crawler).activity
        self.policy = RenderPolicy(config.mode, PageBudget(config.max_pages, config.max_pages_per_host))
        resources = PageResources(Downloads(crawler).ask, ScriptCache(), self.count)
        self._renderer = BrowserRenderer(crawler, config, resources)
        self._is_missing = False
        crawler.signals.connect(self._renderer.close, signal=signals.engine_stopped)

    async def render(self, page: StaticPage, decision: Decision) -> Rendering | None:
        """Run a page's scripts, and expect `end`; None where the page stays as it was sent."""
        if decision is Decision.STATIC:
            return None
        self.count("wanted")
        if decision is Decision.RENDER and self._is_missing:
            self._pass_over(page, "no_browser")
        elif decision is Decision.RENDER:
            return await self._run(page)
        else:
            self._pass_over(page, decision.value)
        return None

    def end(self, *, gained: bool) -> None:
        """Count a rendering as one with a gain or without."""
        self.count("gained" if gained else "not_gained")

    def count(self, what: str) -> None:
        self._crawler.stats.inc_value(f"{_PREFIX}{what}")

    async def _run(self, page: StaticPage) -> Rendering | None:
        try:
            rendering = await self._renderer.render(page)
        except BrowserMissing as error:
            self._pass_over(page, "no_browser")
            self._warn(error)
            return None
        except RenderError as error:
            logger.debug("%s is kept as it was sent: %s", page.url, error)
            self._fail(page, error.reason)
            return None
        except asyncio.CancelledError:
            self._fail(page, "shutdown")
            raise
        self.count("rendered")
        return rendering

    def _fail(self, page: StaticPage, reason: str) -> None:
        self.policy.record_failure(page.url)
        self.count("rendered")
        self._pass_over(page, f"errors/{reason}")

    def _pass_over(self, page: StaticPage, reason: str) -> None:
        self.count(reason)
        if reason != Decision.NEVER_GAINS.value:
            self._activity.list_page(
                "not_rendered", page.url, reason.removeprefix("errors/").replace("_", " ")
            )

    def _warn(self, error: BrowserMissing) -> None:
        if not self._is_missing:
            self._is_missing = True
            logger.warning(
                "Pages that need JavaScript are kept as they were sent, most of them without their text: %s",
                error,
            )

"""Renders pages: a bounded number at a time, in a browser that is replaced before it grows old."""

import asyncio
from typing import TYPE_CHECKING

from scrapy.crawler import Crawler

from ragcrawler.config.crawling.javascript import JavaScriptConfig
from ragcrawler.middlewares.javascript.browser.page_resources import PageResources
from ragcrawler.middlewares.javascript.browser.static_page import Rendering, StaticPage
from ragcrawler.rendering.chromium import BrowserMissing, find_chromium

if TYPE_CHECKING:
    from ragcrawler.middlewares.javascript.browser.session import BrowserSession


class BrowserRenderer:
    """The browser of one crawl, started with the first page that needs it.

    Args:
        crawler: of the crawl.
        config: bounds, and the browser's path.
        resources: what the pages get instead of a network.
    """

    def __init__(self, crawler: Crawler, config: JavaScriptConfig, resources: PageResources) -> None:
        self._crawler = crawler
        self._config = config
        self._resources = resources
        self._places = asyncio.Semaphore(config.concurrent_pages)
        self._changing = asyncio.Lock()
        self._session: BrowserSession | None = None

    async def render(self, page: StaticPage) -> Rendering:
        """Run a page's scripts.

        Raises:
            BrowserMissing: there is no browser.
            RenderError: this page could not be rendered.
        """
        async with self._places:
            session = await self._enter()
            try:
                return await session.render(page, self._resources)
            finally:
                await self._leave(session)

    async def close(self) -> None:
        async with self._changing:
            if self._session is not None:
                session, self._session = self._session, None
                await session.close()

    async def _enter(self) -> "BrowserSession":
        async with self._changing:
            if self._session is None:
                self._session = await self._start()
                self._resources.count("browsers")
            self._session.open_pages += 1
            return self._session

    async def _start(self) -> "BrowserSession":
        executable = find_chromium(self._config.chromium_path)
        if not self._crawler.settings.getbool("TWISTED_REACTOR_ENABLED"):
            raise BrowserMissing("scrapy-playwright needs Twisted's reactor: TWISTED_REACTOR_ENABLED is off")
        # Half a second and 30 MB, for nothing where no page needs a browser or there is none.
        from ragcrawler.middlewares.javascript.browser.session import BrowserSession

        return await BrowserSession.open(self._crawler, self._config, executable)

    async def _leave(self, session: "BrowserSession") -> None:
        session.open_pages -= 1
        session.finished_pages += 1
        if session is self._session and await self._is_old(session):
            self._session = None
        # One that was replaced ends with the last page that is still open in it.
        if session is not self._session and not session.open_pages:
            await session.close()

    async def _is_old(self, session: "BrowserSession") -> bool:
        size = await session.memory_bytes()
        self._crawler.stats.max_value("ragcrawler/javascript/browser_bytes", size)
        return session.finished_pages >= self._config.browser_pages or size > self._config.browser_bytes

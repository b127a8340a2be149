"""One run of the browser, kept by scrapy-playwright."""

import asyncio
from itertools import count
from uuid import uuid4

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeoutError
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy_playwright.page import PageMethod

from ragcrawler.config.crawling.javascript import JavaScriptConfig
from ragcrawler.middlewares.javascript.browser.errors import RenderError
from ragcrawler.middlewares.javascript.browser.memory import tree_bytes
from ragcrawler.middlewares.javascript.browser.page_network import PageNetwork
from ragcrawler.middlewares.javascript.browser.page_resources import PageResources
from ragcrawler.middlewares.javascript.browser.page_visit import PageRead, PageVisit, html_of
from ragcrawler.middlewares.javascript.browser.static_page import Rendering, StaticPage
from ragcrawler.rendering.chromium import launch_options
from ragcrawler.run.local_browser import CLOSE_SECONDS, CONTEXT, LocalBrowser


class BrowserSession:
    """A browser process, and the download handler that owns it.

    Attributes:
        open_pages: at this moment.
        finished_pages: since its start.
    """

    def __init__(self, crawler: Crawler, config: JavaScriptConfig, executable: str) -> None:
        self.open_pages = self.finished_pages = 0
        self._config = config
        self._mark = f"--crawl-session={uuid4().hex}"
        options = launch_options(executable, self._mark)
        self._browser = LocalBrowser(crawler, options, config.page_seconds)
        self._names = (f"page-{number}" for number in count())

    @classmethod
    async def open(cls, crawler: Crawler, config: JavaScriptConfig, executable: str) -> "BrowserSession":
        """Start Playwright; the browser itself starts with the first page."""
        session = cls(crawler, config, executable)
        await session._browser.start()
        return session

    async def render(self, page: StaticPage, resources: PageResources) -> Rendering:
        """Show a page, and read it.

        Raises:
            RenderError: it took too long, grew too large, or brought its browser page down.
            BrowserMissing: the browser does not start.
        """
        config = self._config
        name = next(self._names)
        network = PageNetwork(page, resources, config.page_requests, config.page_bytes)
        visit = PageVisit(network, config.page_seconds, config.page_bytes)
        try:
            async with asyncio.timeout(config.page_seconds):
                await self._browser.handler.download_request(_request(page.url, name, visit))
        except PageRead as read:
            return Rendering(html_of(read), network.wanted_url)
        except (TimeoutError, PlaywrightTimeoutError) as error:
            raise RenderError("timed_out", f"not rendered in {config.page_seconds:g} s") from error
        except PlaywrightError as error:
            raise RenderError("crashed", str(error).splitlines()[0][:300]) from error
        finally:
            network.close()
            await self._close_context(name)
        raise RenderError("not_read", "scrapy-playwright went past its page methods")

    async def memory_bytes(self) -> int:
        """Resident size of the browser."""
        return await asyncio.to_thread(tree_bytes, self._mark)

    async def close(self) -> None:
        """End the browser and Playwright."""
        await self._browser.close()

    async def _close_context(self, name: str) -> None:
        wrapper = self._browser.handler.context_wrappers.get(name)
        if wrapper is None:
            return
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await wrapper.context.close()
        except (TimeoutError, PlaywrightError):
            self._browser.handler.context_wrappers.pop(name, None)


def _request(url: str, name: str, visit: PageVisit) -> Request:
    meta = {
        "playwright": True,
        "playwright_context": name,
        "playwright_context_kwargs": dict(CONTEXT),
        "playwright_include_page": True,  # closed with its context, however this ends
        "playwright_page_init_callback": visit.prepare,
        # Later events do not come where the page goes elsewhere at once.
        "playwright_page_goto_kwargs": {"wait_until": "commit"},
        "playwright_page_methods": [PageMethod(visit.read)],
    }
    return Request(url, meta=meta, dont_filter=True)

"""A browser of this machine, started and ended by scrapy-playwright."""

import asyncio
import logging
from typing import Any

from playwright.async_api import Browser
from playwright.async_api import Error as PlaywrightError
from scrapy.crawler import Crawler
from scrapy_playwright.handler import Config, ScrapyPlaywrightDownloadHandler
from scrapy_playwright.provider import PlaywrightBrowserProvider

from ragcrawler.rendering.chromium import BrowserMissing, start_failure

CLOSE_SECONDS = 5.0
# Of a page's context. Nothing lands on the disk.
CONTEXT: dict[str, Any] = {"accept_downloads": False, "service_workers": "block", "permissions": []}


class LocalBrowser:
    """A browser process, and the download handler that owns it.

    Args:
        crawler: of the crawl.
        options: of the launch.
        page_seconds: that a page may take to come.

    Attributes:
        handler: downloads with it; the browser starts with the first page.
    """

    def __init__(self, crawler: Crawler, options: dict[str, Any], page_seconds: float) -> None:
        # Its warnings carry stack traces, one for each page that fails; ours say the same in a line.
        logging.getLogger("scrapy-playwright").setLevel(logging.ERROR)
        self.handler = ScrapyPlaywrightDownloadHandler(crawler)
        self.handler.config = _handler_config(options, page_seconds)
        self.handler.browser_provider = _Provider(self.handler.config)

    async def start(self) -> None:
        """Start Playwright."""
        await self.handler.browser_provider.start()

    async def close(self) -> None:
        """End the browser and Playwright."""
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.handler.close()
        except (TimeoutError, PlaywrightError):
            await self.handler.browser_provider.close()  # which ends the browser by force


class _Provider(PlaywrightBrowserProvider):
    async def launch_browser(self) -> Browser:
        try:
            return await super().launch_browser()
        except PlaywrightError as error:
            executable = self.config.launch_options["executable_path"]
            raise BrowserMissing(f"{executable} does not start: {start_failure(str(error))}") from error


def _handler_config(options: dict[str, Any], page_seconds: float) -> Config:
    """Not read from settings: a browser somewhere else, by PLAYWRIGHT_CDP_URL say, would have a network."""
    return Config(
        cdp_url=None,
        cdp_kwargs={},
        connect_url=None,
        connect_kwargs={},
        browser_type_name="chromium",
        launch_options=options,
        max_pages_per_context=1,
        max_contexts=None,
        startup_context_kwargs={},
        navigation_timeout_ms=page_seconds * 1000,
        download_timeout_secs=1.0,
        restart_disconnected_browser=True,
        target_closed_max_retries=0,
    )

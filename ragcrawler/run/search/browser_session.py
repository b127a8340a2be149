"""One run of the browser that asks search engines, kept by scrapy-playwright."""

import asyncio
import json
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page, Route
from playwright.async_api import TimeoutError as PlaywrightTimeoutError
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy_playwright.page import PageMethod

from ragcrawler.config.crawling.search_engines import SearchEnginesConfig
from ragcrawler.rendering.chromium import BrowserMissing, narrow_launch_options
from ragcrawler.run.local_browser import CONTEXT, LocalBrowser
from ragcrawler.search_engines.answer import SearchState
from ragcrawler.search_engines.engine import EngineReply, EngineRequest, FetchError

_QUIET_SECONDS = 0.3  # without a change, after which a page has come to rest
_MOST_LOOKS = 10
_MAX_COOKIES_BYTES = 2**20
# Pictures, films and fonts say nothing about results.
_NEEDED = {"document", "script", "stylesheet", "xhr", "fetch", "other"}


class SearchBrowserSession:
    """A browser process, and the download handler that owns it."""

    def __init__(self, crawler: Crawler, config: SearchEnginesConfig, options: dict[str, Any]) -> None:
        self._config = config
        self._browser = LocalBrowser(crawler, options, config.timeout_seconds)

    @classmethod
    async def open(
        cls,
        crawler: Crawler,
        config: SearchEnginesConfig,
        executable: str,
        hosts: Sequence[str],
        proxy: str,
    ) -> "SearchBrowserSession":
        """Start Playwright; the browser itself starts with the first page."""
        parts = urlsplit(proxy)
        reached = [*hosts, parts.hostname] if parts.hostname else list(hosts)
        options = narrow_launch_options(executable, reached)
        if parts.hostname:
            server = f"{parts.scheme}://{parts.hostname}:{parts.port}"
            login = {"username": parts.username or "", "password": parts.password or ""}
            options["proxy"] = {"server": server, **(login if parts.username else {})}
        session = cls(crawler, config, options)
        await session._browser.start()
        return session

    async def fetch(self, request: EngineRequest, hosts: Sequence[str]) -> EngineReply:
        """Show a page, let its scripts come to rest, and read it.

        Raises:
            FetchError: it took too long, or did not come.
        """
        try:
            async with asyncio.timeout(self._config.timeout_seconds):
                response = await self._browser.handler.download_request(self._request(request, hosts))
        except (TimeoutError, PlaywrightTimeoutError) as error:
            message = f"no page in {self._config.timeout_seconds:g} s"
            raise FetchError(SearchState.TIMEOUT, message) from error
        except BrowserMissing as error:
            raise FetchError(SearchState.FAILED, str(error)) from error
        except PlaywrightError as error:
            raise FetchError(SearchState.FAILED, str(error).splitlines()[0][:200]) from error
        await self._keep_cookies(request.engine)
        headers = {
            name.decode("latin-1").lower(): values[-1].decode("latin-1")
            for name, values in response.headers.items()
            if values
        }
        body = response.body.decode("utf-8", "replace")
        return EngineReply(response.url, response.status, headers, body)

    async def close(self) -> None:
        """End the browser and Playwright."""
        await self._browser.close()

    def _request(self, request: EngineRequest, hosts: Sequence[str]) -> Request:
        context = {**CONTEXT, "user_agent": self._config.user_agent}
        if cookies := _kept_cookies(self._cookies_path(request.engine)):
            context["storage_state"] = cookies

        async def restrict(page: Page, _request: Request) -> None:
            await page.route("**/*", lambda route: _only_to(route, hosts))
            await page.route_web_socket("**", lambda socket: socket.close())

        meta = {
            "playwright": True,
            "playwright_context": request.engine,
            "playwright_context_kwargs": context,
            "playwright_page_init_callback": restrict,
            "playwright_page_goto_kwargs": {"wait_until": "domcontentloaded"},
            "playwright_page_methods": [PageMethod(_rest)],
        }
        return Request(request.url, headers=dict(request.headers), meta=meta, dont_filter=True)

    async def _keep_cookies(self, engine: str) -> None:
        wrapper = self._browser.handler.context_wrappers.get(engine)
        if wrapper is None:
            return
        text = json.dumps({"cookies": await wrapper.context.cookies(), "origins": []})
        if len(text) <= _MAX_COOKIES_BYTES:
            path = self._cookies_path(engine)
            path.touch(mode=0o600)
            path.write_text(text, encoding="utf-8")

    def _cookies_path(self, engine: str) -> Path:
        return self._config.cookies_folder / f"{engine}.json"


async def _only_to(route: Route, hosts: Sequence[str]) -> None:
    """Let a request go on to the engine's hosts, and to no other."""
    request = route.request
    host = urlsplit(request.url).hostname or ""
    is_own = any(fnmatchcase(host, pattern) for pattern in hosts)
    if is_own and request.resource_type in _NEEDED:
        await route.fallback()  # to scrapy-playwright's own handler
    else:
        await route.abort("blockedbyclient")


async def _rest(page: Page) -> None:
    """Wait until the document has the same size twice."""
    size = -1
    for _ in range(_MOST_LOOKS):
        now = int(await page.evaluate("document.documentElement.outerHTML.length"))
        if now == size:
            return
        size = now
        await asyncio.sleep(_QUIET_SECONDS)


def _kept_cookies(path: Path) -> dict[str, Any] | None:
    """The cookies of the last run; None where there are none that can be read."""
    try:
        state = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return state if isinstance(state, dict) and isinstance(state.get("cookies"), list) else None

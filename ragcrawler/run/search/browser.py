"""Pages of results in the system's Chromium, in a context of its own kind.

The browser of the crawl has no network. This one has: each engine gets a context that asks for the engine's
own hosts alone, and keeps its cookies. It shows no page of the crawl.
"""

import asyncio
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from scrapy.crawler import Crawler

from ragcrawler.config.crawling.search_engines import SearchEnginesConfig
from ragcrawler.rendering.chromium import BrowserMissing, find_chromium
from ragcrawler.search_engines.answer import SearchState
from ragcrawler.search_engines.definitions import DEFINITIONS
from ragcrawler.search_engines.engine import EngineReply, EngineRequest, FetchError
from ragcrawler.urls.host import host_of

if TYPE_CHECKING:
    from ragcrawler.run.search.browser_session import SearchBrowserSession


class SearchBrowser:
    """Starts with the first page that is asked for.

    Args:
        crawler: of the crawl.
        config: times, names, and where cookies lie.
        addresses: of the engines that may be asked, by name.
        proxy: of the crawl, with its password; "" for none.
    """

    def __init__(
        self, crawler: Crawler, config: SearchEnginesConfig, addresses: Mapping[str, str], proxy: str
    ) -> None:
        self._crawler = crawler
        self._config = config
        self._hosts = {name: _hosts(name, address) for name, address in addresses.items()}
        self._proxy = proxy
        self._starting = asyncio.Lock()
        self._session: SearchBrowserSession | None = None

    async def fetch(self, request: EngineRequest) -> EngineReply:
        """Show a page, and read it when its scripts have run.

        Raises:
            FetchError: there is no browser, or the page did not come.
        """
        try:
            async with self._starting:
                if self._session is None:
                    self._session = await self._start()
        except BrowserMissing as error:
            raise FetchError(SearchState.FAILED, str(error)) from error
        return await self._session.fetch(request, self._hosts[request.engine])

    async def close(self) -> None:
        """End the browser; calling it twice is fine."""
        async with self._starting:
            session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def _start(self) -> "SearchBrowserSession":
        executable = find_chromium(self._config.chromium_path)
        if not self._crawler.settings.getbool("TWISTED_REACTOR_ENABLED"):
            raise BrowserMissing("scrapy-playwright needs Twisted's reactor: TWISTED_REACTOR_ENABLED is off")
        # Half a second and 30 MB, for nothing where no engine is asked by browser.
        from ragcrawler.run.search.browser_session import SearchBrowserSession

        self._config.cookies_folder.mkdir(parents=True, exist_ok=True)
        os.chmod(self._config.cookies_folder, 0o700)  # noqa: PTH101 - of a path that was made here
        hosts = [host for of_engine in self._hosts.values() for host in of_engine]
        return await SearchBrowserSession.open(self._crawler, self._config, executable, hosts, self._proxy)


def _hosts(name: str, address: str) -> tuple[str, ...]:
    """The host that is asked; where that is the engine's own, its domains with all below them."""
    host = host_of(f"{address}/")
    own = DEFINITIONS[name].own_domains
    is_own = any(f".{host}".endswith(f".{domain}") for domain in own)
    domains = tuple(pattern for domain in own for pattern in (domain, f"*.{domain}")) if is_own else ()
    return (host, *domains)

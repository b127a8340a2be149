"""Asks a site what it says to an unknown URL, to recognise error pages with the status of a page."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from hashlib import sha256
from urllib.parse import urljoin

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response
from scrapy.http.request import NO_CALLBACK

from ragcrawler.catalogue import site_of
from ragcrawler.frontier.outcomes.soft_404 import SoftNotFound, sounds_missing, text_pieces, title_of
from ragcrawler.urls.identity import is_same_page

logger = logging.getLogger(__name__)

Download = Callable[[str], Awaitable[Response | None]]

_OK = 200


class MissingPages:
    """Asks each suspicious site once.

    Args:
        soft_404: says which sites are suspicious, and remembers their answers.
        download: a URL; None where nothing came.
    """

    def __init__(self, soft_404: SoftNotFound, download: Download) -> None:
        self._soft_404 = soft_404
        self._download = download
        self._asking: dict[str, asyncio.Future[None]] = {}

    async def has(self, response: Response, url: str) -> bool:
        """Whether a page says no more than its site says to an unknown URL."""
        if not isinstance(response, HtmlResponse):
            return False
        site = site_of(url)
        if site not in self._asking and not self._soft_404.is_answered(url):
            if not self._soft_404.suspects(url, response.body):
                return False
            self._asking[site] = asyncio.ensure_future(self._ask(url))
        if site in self._asking:
            # One of many waiting pages may be cancelled: the others still want the answer.
            await asyncio.shield(self._asking[site])
        return self._soft_404.is_missing(url, response.body)

    async def _ask(self, url: str) -> None:
        self._soft_404.learn(url, await self._answer(urljoin(url, sha256(url.encode()).hexdigest()[:24])))

    async def _answer(self, made_up: str) -> dict[str, str]:
        """The text of the answer; nothing where the site says by its status that nothing is there."""
        response = await self._download(made_up)
        if response is None or response.status != _OK or not isinstance(response, HtmlResponse):
            return {}
        # A site that leads to its start page instead has no error page to know others by.
        if not is_same_page(response.url, made_up) and not sounds_missing(title_of(response.body)):
            return {}
        return text_pieces(response.body, made_up)


async def download(url: str, crawler: Crawler) -> Response | None:
    """Download a URL past the spider, as politely as any other; None where nothing came."""
    crawler.stats.inc_value("ragcrawler/soft_404/questions")
    try:
        return await crawler.engine.download_async(Request(url, callback=NO_CALLBACK, dont_filter=True))
    except Exception as error:  # noqa: BLE001 - whatever the network does, there is then nothing to compare
        logger.info("%s gave no answer to an unknown URL: %s", url, error)
        return None

"""Finds pages that are not there although their server says they are."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from hashlib import sha256
from urllib.parse import urljoin, urlsplit

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response
from scrapy.http.request import NO_CALLBACK

from ragcrawler.urls.identity import is_same_page
from ragcrawler.urls.soft_404 import says_nothing_else, sounds_missing, text_pieces, title_of

logger = logging.getLogger(__name__)

Ask = Callable[[str], Awaitable[Response | None]]

# So many pages of one title make a site worth a question.
_SAME_TITLE = 5
_OK = 200


@dataclass(slots=True)
class _Site:
    titles: Counter[int] = field(default_factory=Counter)
    answer: "asyncio.Future[dict[str, str]] | None" = None


class SoftNotFound:
    """Asks a site for an address that cannot be there, at most once, and only where its pages look alike.

    Args:
        ask: downloads a URL; None where it cannot be had.
        is_on: where not, no page is held to be missing.
    """

    def __init__(self, ask: Ask, *, is_on: bool = True) -> None:
        self._ask = ask
        self._is_on = is_on
        self._sites: dict[str, _Site] = {}

    async def is_missing(self, response: Response, url: str) -> bool:
        """Whether a page says nothing but what the site says to a made-up address."""
        if not self._is_on or not isinstance(response, HtmlResponse):
            return False
        parts = urlsplit(url)
        site = self._sites.setdefault(f"{parts.scheme}://{parts.netloc}", _Site())
        if site.answer is None:
            if not self._looks_like_others(site, title_of(response.body)):
                return False
            site.answer = asyncio.ensure_future(self._missing_page(url))
        # One of many waiting pages may be cancelled: the others still want the answer.
        missing = await asyncio.shield(site.answer)
        return bool(missing) and says_nothing_else(text_pieces(response.body, url), missing)

    @staticmethod
    def _looks_like_others(site: _Site, title: str) -> bool:
        if not title:
            return False
        site.titles[hash(title)] += 1
        return sounds_missing(title) or site.titles[hash(title)] == _SAME_TITLE

    async def _missing_page(self, url: str) -> dict[str, str]:
        """What the site says; nothing where it says by its status that nothing is there."""
        made_up = urljoin(url, sha256(url.encode()).hexdigest()[:24])
        response = await self._ask(made_up)
        if response is None or response.status != _OK or not isinstance(response, HtmlResponse):
            return {}
        # A site that leads to its start page instead has no error page to know others by.
        if not is_same_page(response.url, made_up) and not sounds_missing(title_of(response.body)):
            return {}
        return text_pieces(response.body, made_up)


async def ask_for(url: str, crawler: Crawler) -> Response | None:
    """Download a URL past the spider, as politely as any other; None where it cannot be had."""
    crawler.stats.inc_value("ragcrawler/soft_404/questions")
    try:
        return await crawler.engine.download_async(Request(url, callback=NO_CALLBACK, dont_filter=True))
    except Exception as error:  # noqa: BLE001 - whatever the network does, there is then nothing to compare
        logger.info("%s says nothing of what is not there: %s", url, error)
        return None

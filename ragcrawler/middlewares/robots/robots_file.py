"""Fetches a robots.txt."""

from typing import Any

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import StopDownload
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from ragcrawler.urls.robots.rules import MAX_ROBOTS_BYTES

_RECEIVED = "robots_bytes"
_PRIORITY = 1000
_MAX_REDIRECTS = 5  # RFC 9309, section 2.3.1.2


class RobotsFile:
    """Downloads robots.txt files past the scheduler; what is behind the parsing limit is not waited for."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._under_way = 0

    async def fetch(self, origin: str) -> Response:
        """The response of `origin/robots.txt`, redirects followed.

        Raises:
            IgnoreRequest: there are too many redirects, or one leads to where nothing may be fetched.
            Exception: whatever the network does.
        """
        meta: dict[str, Any] = {
            "dont_obey_robotstxt": True,
            "dont_retry": True,  # it is asked for again, but later
            "redirect_ttl": _MAX_REDIRECTS,
            _RECEIVED: 0,
        }
        request = Request(f"{origin}/robots.txt", priority=_PRIORITY, meta=meta, callback=NO_CALLBACK)
        self._listen()
        try:
            response: Response = await self._crawler.engine.download_async(request)
            return response
        finally:
            self._listen_no_more()

    # The signal is sent for each piece of each page: it costs nothing while no receiver is connected.
    def _listen(self) -> None:
        self._under_way += 1
        self._crawler.signals.connect(self._received, signals.bytes_received)

    def _listen_no_more(self) -> None:
        self._under_way -= 1
        if not self._under_way:
            self._crawler.signals.disconnect(self._received, signals.bytes_received)

    def _received(self, data: bytes, request: Request) -> None:
        if _RECEIVED in request.meta:
            request.meta[_RECEIVED] += len(data)
            if request.meta[_RECEIVED] > MAX_ROBOTS_BYTES:
                raise StopDownload(fail=False)

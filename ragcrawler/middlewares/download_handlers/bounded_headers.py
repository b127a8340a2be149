"""Bounds the headers of a response; Twisted bounds each line, and takes any number of them."""

from functools import partial
from typing import Any

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler, _LenientHTTP11ClientProtocol
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadCancelledError, DownloadFailedError
from scrapy.http import Request, Response
from twisted.python.failure import Failure
from twisted.web._newclient import HEADER, STATUS
from twisted.web.client import _HTTP11ClientFactory

from ragcrawler.config.crawling.web_access import WebAccessConfig


class HeadersTooLargeError(Exception):
    """A response whose headers do not end."""


class _BoundedProtocol(_LenientHTTP11ClientProtocol):
    """Counts what comes before a body; interim responses (1xx) are headers like any."""

    def __init__(self, max_bytes: int, quiescent_callback: Any) -> None:
        super().__init__(quiescent_callback)  # type: ignore[no-untyped-call]
        self._max_bytes = max_bytes
        self._header_bytes = 0

    def request(self, request: Any) -> Any:
        self._header_bytes = 0
        return super().request(request)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's
        super().dataReceived(data)  # type: ignore[no-untyped-call]
        if self._parser is None or self._parser.state not in (STATUS, HEADER):
            return
        self._header_bytes += len(data)
        if self._header_bytes > self._max_bytes:
            error = HeadersTooLargeError(f"over {self._max_bytes} bytes of headers")
            self._giveUp(Failure(error))  # type: ignore[no-untyped-call]


class _BoundedFactory(_HTTP11ClientFactory):
    """Makes the protocol of one connection."""

    noisy = False

    def __init__(self, max_bytes: int, quiescent_callback: Any, metadata: Any) -> None:
        super().__init__(quiescent_callback, metadata)  # type: ignore[no-untyped-call]
        self._max_bytes = max_bytes

    def buildProtocol(self, addr: Any) -> _BoundedProtocol:  # noqa: ARG002, N802 - Twisted's
        return _BoundedProtocol(self._max_bytes, self._quiescentCallback)


class BoundedHeadersHandler(HTTP11DownloadHandler):
    """Scrapy's default handler; the protocol goes where Scrapy puts its own."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        bound = WebAccessConfig.from_settings(crawler.settings).max_header_bytes
        self._pool._factory = partial(_BoundedFactory, bound)  # type: ignore[assignment]  # it is only called

    async def download_request(self, request: Request) -> Response:
        """Download.

        Raises:
            DownloadCancelledError: the headers are too large.
        """
        try:
            return await super().download_request(request)
        except DownloadFailedError as error:
            if any(reason.check(HeadersTooLargeError) for reason in getattr(error.__cause__, "reasons", ())):
                raise DownloadCancelledError(f"the headers of {request.url} are too large") from error
            raise

"""Scrapy's handler with bounded headers, which Twisted takes in any number, and paced by the site."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any
from urllib.parse import urldefrag

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadCancelledError, DownloadFailedError
from scrapy.http import Request, Response
from twisted.python.failure import Failure
from twisted.web._newclient import HEADER, STATUS
from twisted.web.client import URI, _HTTP11ClientFactory

from ragcrawler.config.crawling.web_access import WebAccessConfig
from ragcrawler.middlewares.download_handlers.paced_sending import Pace, PacedProtocol
from ragcrawler.middlewares.throttling.downloader import note_answer, note_sent, seconds_to_send

_LATENCY = "download_latency"


class HeadersTooLargeError(Exception):
    """A response whose headers do not end."""


class _BoundedProtocol(PacedProtocol):
    """Counts what comes before a body; interim responses (1xx) are headers like any."""

    def __init__(self, max_bytes: int, *paced: Any) -> None:
        super().__init__(*paced)
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

    def __init__(self, max_bytes: int, pace: Pace, quiescent_callback: Any, metadata: Any) -> None:
        super().__init__(quiescent_callback, metadata)  # type: ignore[no-untyped-call]
        self._max_bytes = max_bytes
        self._pace = pace

    def buildProtocol(self, addr: Any) -> _BoundedProtocol:  # noqa: ARG002, N802 - Twisted's
        from twisted.internet import reactor

        return _BoundedProtocol(self._max_bytes, self._pace, reactor, self._quiescentCallback)


@dataclass(slots=True)
class _Sending:
    """A request, the seconds that it waited for its site, and when it was sent."""

    request: Request
    waited: float = 0.0
    sent_at: float = 0.0


class _SitePace:
    """See `Pace`. A connection knows a request by its URI alone; requests for one URI are to one site."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._sending: defaultdict[bytes, list[_Sending]] = defaultdict(list)

    @contextmanager
    def sending(self, request: Request) -> Iterator[_Sending]:
        """Know a request of Scrapy while it is downloaded."""
        uri, sending = _uri(request), _Sending(request)
        self._sending[uri].append(sending)
        try:
            yield sending
        finally:
            self._sending[uri].remove(sending)
            if not self._sending[uri]:
                del self._sending[uri]

    def seconds_to_send(self, request: Any) -> float:
        """See `Pace`."""
        first = self._first(request)
        seconds = seconds_to_send(self._crawler, first.request) if first else 0.0
        if first is not None:
            first.waited += seconds
        return seconds

    def note_sent(self, request: Any) -> None:
        """See `Pace`."""
        first = self._first(request)
        if first is not None:
            note_sent(self._crawler, first.request)
            first.sent_at = monotonic()

    def note_answer(self, request: Any) -> None:
        """See `Pace`."""
        first = self._first(request)
        if first is not None:
            note_answer(self._crawler, first.request, first.sent_at)

    def _first(self, request: Any) -> _Sending | None:
        known = self._sending.get(request.absoluteURI)
        return known[0] if known else None


class BoundedHeadersHandler(HTTP11DownloadHandler):
    """Scrapy's default handler; the protocol goes where Scrapy puts its own."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        bound = WebAccessConfig.from_settings(crawler.settings).max_header_bytes
        self._pace = _SitePace(crawler)
        factory = partial(_BoundedFactory, bound, self._pace)
        self._pool._factory = factory  # type: ignore[assignment]  # it is only called

    async def download_request(self, request: Request) -> Response:
        """Download.

        Raises:
            DownloadCancelledError: the headers are too large.
        """
        try:
            with self._pace.sending(request) as sending:
                response = await super().download_request(request)
        except DownloadFailedError as error:
            if any(reason.check(HeadersTooLargeError) for reason in getattr(error.__cause__, "reasons", ())):
                raise DownloadCancelledError(f"the headers of {request.url} are too large") from error
            raise
        if _LATENCY in request.meta:  # by which the pace is adjusted: our own waiting is not the site's
            request.meta[_LATENCY] -= sending.waited
        return response


def _uri(request: Request) -> bytes:
    uri = URI.fromBytes(urldefrag(request.url)[0].encode("ascii"))  # type: ignore[no-untyped-call]
    spelled: bytes = uri.toBytes()
    return spelled

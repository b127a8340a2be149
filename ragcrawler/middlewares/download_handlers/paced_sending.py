"""A connection that sends a request when its site's pace allows it: after it was opened, not before."""

from collections.abc import Generator
from typing import Any, Protocol

from scrapy.core.downloader.handlers.http11 import _LenientHTTP11ClientProtocol
from twisted.internet.defer import Deferred, inlineCallbacks
from twisted.internet.error import ConnectionLost
from twisted.internet.interfaces import IHandshakeListener, IReactorTime, IWriteDescriptor
from twisted.internet.task import deferLater
from twisted.protocols.tls import TLSMemoryBIOProtocol
from twisted.python.failure import Failure
from twisted.web._newclient import ResponseNeverReceived
from zope.interface import implementer  # type: ignore[import-untyped]


class Pace(Protocol):
    """Of the sites that are asked. Requests are those of Twisted."""

    def seconds_to_send(self, request: Any) -> float:
        """Seconds that a request has to wait, 0.0 where it is sent now; an exception refuses it."""

    def note_sent(self, request: Any) -> None:
        """A request was written."""

    def note_answer(self, request: Any) -> None:
        """The answer to a request that was sent begins."""


# Private: Scrapy gives no other way to its parser, which reads headers that Twisted's own protocol refuses.
@implementer(IHandshakeListener)
class PacedProtocol(_LenientHTTP11ClientProtocol):
    """To find a name, to connect and to shake hands may take longer than the delay between two requests.

    Counted from before all that, two requests may arrive at once. Here the pace is asked for when nothing is
    left to do but to write.

    Args:
        pace: says when; asked again after that time.
        reactor: has the timers.
        quiescent_callback: Twisted's.
    """

    def __init__(self, pace: Pace, reactor: IReactorTime, quiescent_callback: Any) -> None:
        super().__init__(quiescent_callback)  # type: ignore[no-untyped-call]
        self._pace = pace
        self._reactor = reactor
        self._is_secure = False
        self._handshake: Deferred[None] | None = None

    @inlineCallbacks
    def request(self, request: Any) -> Generator[Deferred[Any], Any, Any]:
        """Send a request; fires with its response.

        Raises:
            ResponseNeverReceived: the connection was lost before.
        """
        try:
            if self._has_handshake_ahead():
                self._handshake = Deferred()
                yield self._handshake
            while seconds := self._pace.seconds_to_send(request):
                yield deferLater(self._reactor, seconds)
        except BaseException:
            if self.transport is not None:
                self.transport.abortConnection()
            raise
        if self._state != "QUIESCENT":
            raise ResponseNeverReceived([Failure(ConnectionLost())])  # type: ignore[no-untyped-call]
        answered = super().request(request)
        self._write_now()
        self._pace.note_sent(request)
        response = yield answered
        self._pace.note_answer(request)
        return response

    def handshakeCompleted(self) -> None:  # noqa: N802 - Twisted's
        """The connection is secure."""
        self._is_secure = True
        waiting, self._handshake = self._handshake, None
        if waiting is not None:
            waiting.callback(None)

    def connectionLost(self, reason: Failure) -> None:  # type: ignore[override]  # noqa: N802 - Twisted's
        """The other side, or we, closed it."""
        super().connectionLost(reason)  # type: ignore[no-untyped-call]
        waiting, self._handshake = self._handshake, None
        if waiting is not None:
            waiting.errback(ResponseNeverReceived([reason]))  # type: ignore[no-untyped-call]

    def _write_now(self) -> None:
        """Do not leave it to the reactor, which may come by late: the next request would follow too soon."""
        transport: Any = getattr(self.transport, "transport", self.transport)  # below TLS
        if IWriteDescriptor.providedBy(transport):
            transport.doWrite()  # an error comes again when the reactor comes by

    def _has_handshake_ahead(self) -> bool:
        # Through a tunnel Twisted does not tell of it.
        transport = self.transport
        is_told = isinstance(transport, TLSMemoryBIOProtocol) and transport.wrappedProtocol is self
        return is_told and not self._is_secure

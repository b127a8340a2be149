"""A request leaves an open connection when its site's pace allows it."""

from collections.abc import Callable

import pytest
from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.error import ConnectionLost
from twisted.internet.interfaces import IWriteDescriptor
from twisted.internet.ssl import CertificateOptions
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.protocols.tls import TLSMemoryBIOFactory
from twisted.python.failure import Failure
from twisted.web._newclient import Request, ResponseNeverReceived
from twisted.web.client import URI, Response
from twisted.web.http_headers import Headers
from zope.interface import implementer

from ragcrawler.middlewares.download_handlers.paced_sending import PacedProtocol

ANSWER = b"HTTP/1.1 204 No Content\r\n\r\n"


@implementer(IWriteDescriptor)
class Connection(StringTransport):
    """Keeps what it is given until it is told to write, as a reactor's transports do."""

    written = b""

    def doWrite(self) -> None:  # noqa: N802 - Twisted's
        self.written = self.value()

    def setTcpNoDelay(self, enabled: bool) -> None:  # noqa: N802 - Twisted's
        """Everything is written at once."""


class Site:
    """A connection to a site whose pace is a list of waits."""

    def __init__(self, *waits: float | Exception) -> None:
        self.waits = list(waits)
        self.clock = Clock()
        self.transport = Connection()
        self.protocol = PacedProtocol(self, self.clock, lambda _: None)
        self.sent = self.answered = 0
        self.failures: list[Failure] = []
        self.responses: list[Response] = []

    def open(self) -> None:
        self.protocol.makeConnection(self.transport)

    def ask(self) -> Deferred[Response]:
        request = Request._construct(
            b"GET", b"/", Headers({b"host": [b"a.org"]}), None, parsedURI=URI.fromBytes(b"http://a.org/")
        )
        asked: Deferred[Response] = self.protocol.request(request)
        asked.addCallbacks(self.responses.append, self.failures.append)
        return asked

    def seconds_to_send(self, request: Request) -> float:
        assert request.absoluteURI == b"http://a.org/"
        wait = self.waits.pop(0)
        if isinstance(wait, Exception):
            raise wait
        return wait

    def note_sent(self, request: Request) -> None:
        assert request.absoluteURI == b"http://a.org/"
        assert self.transport.written.startswith(b"GET / HTTP/1.1")
        self.sent += 1

    def note_answer(self, request: Request) -> None:
        assert request.absoluteURI == b"http://a.org/"
        self.answered += 1


def test_a_request_is_written_when_nothing_is_left_to_wait_for() -> None:
    site = Site(2.0, 1.0, 0.0)
    site.open()
    site.ask()
    site.clock.advance(2.0)
    assert (site.waits, site.transport.value()) == ([0.0], b"")
    site.clock.advance(1.0)
    assert site.transport.value().startswith(b"GET / HTTP/1.1\r\n")
    assert (site.sent, site.answered) == (1, 0)
    site.protocol.dataReceived(ANSWER)
    assert [response.code for response in site.responses] == [204]
    assert site.answered == 1


def _lose(site: Site, _: Deferred[Response]) -> None:
    site.protocol.connectionLost(Failure(ConnectionLost()))
    site.clock.advance(2.0)


def _cancel(_: Site, asked: Deferred[Response]) -> None:
    asked.cancel()


@pytest.mark.parametrize(("end", "error"), [(_lose, ResponseNeverReceived), (_cancel, CancelledError)])
def test_a_request_that_ends_before_it_was_written_says_why(
    end: Callable[[Site, Deferred[Response]], None], error: type[Exception]
) -> None:
    site = Site(2.0, 0.0)
    site.open()
    end(site, site.ask())
    assert [failure.type for failure in site.failures] == [error]
    assert site.transport.value() == b""
    assert site.transport.disconnected is (error is CancelledError)


def test_a_site_that_is_held_meanwhile_gets_nothing() -> None:
    site = Site(2.0, ValueError("held"))
    site.open()
    site.ask()
    site.clock.advance(2.0)
    assert (str(site.failures[0].value), site.transport.disconnected) == ("held", True)


def secure(site: Site) -> None:
    options = CertificateOptions()
    factory = TLSMemoryBIOFactory(options, True, None, site.clock)  # type: ignore[arg-type]  # makes no protocol
    layer = factory.protocol(factory, site.protocol)
    layer.makeConnection(site.transport)


def test_over_tls_the_pace_is_asked_for_after_the_handshake() -> None:
    site = Site(0.0)
    secure(site)
    site.ask()
    assert site.waits == [0.0]
    site.protocol.handshakeCompleted()
    assert site.waits == []


def test_a_handshake_that_fails_says_why() -> None:
    site = Site(0.0)
    secure(site)
    site.ask()
    site.protocol.connectionLost(Failure(ConnectionLost()))
    (failure,) = site.failures
    assert [reason.type for reason in failure.value.reasons] == [ConnectionLost]
    assert site.waits == [0.0]

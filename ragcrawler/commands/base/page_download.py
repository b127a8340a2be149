"""Downloads one page for a command, without a crawl, as guarded as a crawl would."""

import socket
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    UnknownHandler,
    getproxies,
)

from ragcrawler.urls.address_guard import AddressGuard
from ragcrawler.urls.canonical import canonical_url

_TIMEOUT_SECONDS = 30.0
_PIECE_BYTES = 2**16


@dataclass(frozen=True, slots=True)
class Downloaded:
    """Body, media type as the server gives it ("" where it gives none), and the address that answered."""

    body: bytes
    content_type: str
    url: str


def download(url: str, *, max_bytes: int, user_agent: str) -> Downloaded:
    """Fetch a page over http or https; redirects are followed, certificates verified.

    The host that is named may be private; a redirect may lead to public addresses, and back to that host and
    port. Proxies of the environment are used, and resolve the names then.

    Args:
        url: as somebody typed it.
        max_bytes: of the body; one more is read, to see that there is more.
        user_agent: the header.

    Raises:
        ValueError: the URL is none, or it or a redirect is refused.
        OSError: the download failed, the server's status included.
    """
    wanted = canonical_url(url)
    deadline = time.monotonic() + _TIMEOUT_SECONDS
    request = Request(wanted, headers={"User-Agent": user_agent})  # noqa: S310 - http and https alone are opened
    try:
        with _opener(AddressGuard([wanted], _proxies())).open(request, timeout=_TIMEOUT_SECONDS) as response:
            body = b"".join(_pieces(response, max_bytes + 1, deadline))
            return Downloaded(body, response.headers.get("Content-Type", ""), response.url)
    except HTTPException as error:
        raise OSError(f"the server's answer is no HTTP: {error!r}") from error


def _pieces(response: HTTPResponse, max_bytes: int, deadline: float) -> Iterator[bytes]:
    missing = max_bytes
    while missing and (piece := response.read1(min(missing, _PIECE_BYTES))):
        missing -= len(piece)
        yield piece
        if time.monotonic() > deadline:
            raise TimeoutError(f"the page was not there after {_TIMEOUT_SECONDS:.0f} seconds")
    if missing and response.length:
        raise ConnectionError(f"the server hung up {response.length} bytes before the end")


def _opener(guard: AddressGuard) -> OpenerDirector:
    opener = OpenerDirector()
    for handler in (
        ProxyHandler(),
        _GuardedHttpHandler(guard),
        _GuardedHttpsHandler(guard),
        HTTPRedirectHandler(),
        HTTPDefaultErrorHandler(),
        HTTPErrorProcessor(),
        UnknownHandler(),
    ):
        opener.add_handler(handler)
    return opener


class _GuardedHttpHandler(HTTPHandler):
    def __init__(self, guard: AddressGuard) -> None:
        super().__init__()
        self._guard = guard

    def http_open(self, req: Request) -> HTTPResponse:
        self._guard.check_url(req.full_url)
        return self.do_open(partial(_connection, HTTPConnection, self._guard), req)


class _GuardedHttpsHandler(HTTPSHandler):
    def __init__(self, guard: AddressGuard) -> None:
        super().__init__()
        self._guard = guard

    def https_open(self, req: Request) -> HTTPResponse:
        self._guard.check_url(req.full_url)
        connection = partial(_connection, HTTPSConnection, self._guard)
        return self.do_open(connection, req, context=ssl.create_default_context())


def _connection(kind: type[HTTPConnection], guard: AddressGuard, host: str, **options: Any) -> HTTPConnection:
    connection = kind(host, **options)
    # The one place where it resolves the name, and the only seam there is.
    connection._create_connection = partial(_connected, guard)  # type: ignore[attr-defined]
    return connection


def _connected(guard: AddressGuard, place: tuple[str, int], timeout: float, *_: object) -> socket.socket:
    """A connection to one of the addresses that were judged: the name is resolved once."""
    host, port = place
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    guard.check_addresses(host, port, addresses)
    for address in addresses[:-1]:
        try:
            return socket.create_connection((address, port), timeout)
        except OSError:
            continue  # the last one tells why
    return socket.create_connection((addresses[-1], port), timeout)


def _proxies() -> list[str]:
    """Those of the environment, without scheme and credentials: only the place matters."""
    found = {name: proxy for name, proxy in getproxies().items() if name in ("http", "https")}
    return [f"http://{proxy.rpartition('://')[2].rpartition('@')[2]}" for proxy in found.values()]

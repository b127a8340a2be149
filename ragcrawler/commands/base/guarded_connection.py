"""Connections of a command: only to judged addresses, and only until a deadline."""

import socket
import ssl
import threading
import time
from functools import partial
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from types import TracebackType
from typing import Any, Self
from urllib.request import (
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    UnknownHandler,
)

from ragcrawler.urls.address_guard import AddressGuard

# A timeout of 0 would mean: do not block.
_LEAST_SECONDS = 0.001


class Deadline:
    """Ends connections when its time is over, whatever they are doing.

    A socket's own timeout bounds only the wait for the next byte: a server that sends one a second would
    hold a download for years. A second handle of each connection is ended: the first may be wrapped in TLS.

    Attributes:
        seconds: from entering the context to the end.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds
        self._lock = threading.Lock()
        self._handles: list[socket.socket] = []
        self._timer = threading.Timer(seconds, self._end_connections)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._end = time.monotonic() + self.seconds
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        with self._lock:
            for handle in self._handles:
                handle.close()
            self._handles.clear()

    @property
    def remaining_seconds(self) -> float:
        """Until the end; 0.0 after it."""
        return max(0.0, self._end - time.monotonic())

    def watch(self, connection: socket.socket) -> None:
        """End this connection too.

        Raises:
            TimeoutError: the time is over.
        """
        with self._lock:
            self._handles.append(connection.dup())
        self.check()

    def check(self) -> None:
        """Go on while there is time.

        Raises:
            TimeoutError: there is none.
        """
        if not self.remaining_seconds:
            raise TimeoutError

    def _end_connections(self) -> None:
        with self._lock:
            for handle in self._handles:
                try:
                    handle.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue  # it has ended already


def guarded_opener(guard: AddressGuard, deadline: Deadline) -> OpenerDirector:
    """Opens http and https URLs, through the proxies of the environment; gives every answer as it is."""
    opener = OpenerDirector()
    for handler in (
        ProxyHandler(),
        _GuardedHttpHandler(guard, deadline),
        _GuardedHttpsHandler(guard, deadline),
        UnknownHandler(),
    ):
        opener.add_handler(handler)
    return opener


class _GuardedHttpHandler(HTTPHandler):
    def __init__(self, guard: AddressGuard, deadline: Deadline) -> None:
        super().__init__()
        self._guard, self._deadline = guard, deadline

    def http_open(self, req: Request) -> HTTPResponse:
        self._guard.check_url(req.full_url)
        return self.do_open(partial(_connection, HTTPConnection, self._guard, self._deadline), req)


class _GuardedHttpsHandler(HTTPSHandler):
    def __init__(self, guard: AddressGuard, deadline: Deadline) -> None:
        super().__init__()
        self._guard, self._deadline = guard, deadline

    def https_open(self, req: Request) -> HTTPResponse:
        self._guard.check_url(req.full_url)
        connection = partial(_connection, HTTPSConnection, self._guard, self._deadline)
        return self.do_open(connection, req, context=ssl.create_default_context())


def _connection(
    kind: type[HTTPConnection], guard: AddressGuard, deadline: Deadline, host: str, **options: Any
) -> HTTPConnection:
    connection = kind(host, **options)
    # The one place where it resolves the name, and the only seam there is.
    connection._create_connection = partial(_connect, guard, deadline)  # type: ignore[attr-defined]
    return connection


def _connect(guard: AddressGuard, deadline: Deadline, place: tuple[str, int], *_: object) -> socket.socket:
    """A connection to one of the addresses that were judged: the name is resolved once."""
    host, port = place
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    guard.check_addresses(host, port, addresses)
    for address in addresses[:-1]:
        try:
            return _watched(address, port, deadline)
        except OSError:
            continue  # the last one tells why
    return _watched(addresses[-1], port, deadline)


def _watched(address: str, port: int, deadline: Deadline) -> socket.socket:
    connection = socket.create_connection((address, port), max(deadline.remaining_seconds, _LEAST_SECONDS))
    try:
        deadline.watch(connection)
    except BaseException:
        connection.close()
        raise
    return connection

"""Refuses requests for other hosts and from other sites' pages.

A page of a stranger can make a browser ask a server on this machine: under a name of its own that leads to
127.0.0.1 (DNS rebinding), then the `Host` is the stranger's; or straight, then the `Origin` is.
"""

from collections.abc import Iterable, Sequence

from starlette.types import ASGIApp, Receive, Scope, Send

from ragcrawler.server.security.error_answer import error_answer

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_DEFAULT_PORTS = {"http": "80", "https": "443"}


def allowed_hosts(port: int, names: Iterable[str]) -> frozenset[str]:
    """The values of `Host` that are right: the loopback names with the port, and those of the settings."""
    loopback = {f"{name}:{port}" for name in _LOOPBACK}
    return frozenset({*loopback, *(_LOOPBACK if port == int(_DEFAULT_PORTS["http"]) else ()), *names})


class OriginCheck:
    """ASGI middleware: 403 for a missing or foreign `Host`, and for a foreign `Origin`.

    A request without an `Origin` is let through: programs send none.
    """

    def __init__(self, app: ASGIApp, *, hosts: frozenset[str]) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        reason = self._refusal(scope["headers"])
        if reason:
            return await error_answer(scope, 403, reason)(scope, receive, send)
        return await self._app(scope, receive, send)

    def _refusal(self, headers: Sequence[tuple[bytes, bytes]]) -> str:
        hosts = _values(headers, b"host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return "This server is not asked for under that host name; SERVER_HOSTS says which are right."
        if any(not self._is_own(each) for each in _values(headers, b"origin")):
            return "Pages of other sites may not ask this server."
        return ""

    def _is_own(self, origin: str) -> bool:
        scheme, _, authority = origin.lower().partition("://")
        return scheme in _DEFAULT_PORTS and authority in self._hosts


def _values(headers: Sequence[tuple[bytes, bytes]], name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in headers if key == name]

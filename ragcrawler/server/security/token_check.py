"""Requires the token of the settings."""

import base64
import binascii
import secrets

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from ragcrawler.server.security.error_answer import error_answer

_CHALLENGE = {"WWW-Authenticate": 'Basic realm="ragcrawler", charset="UTF-8"'}
_WANTED = (
    "This server wants its token: in a browser as the password, with any name; "
    "of a program as Authorization: Bearer TOKEN."
)


class TokenCheck:
    """ASGI middleware: 401 for a request without the token.

    Programs send `Authorization: Bearer TOKEN`. A browser asks for a name and a password: any name, and the
    token.
    """

    def __init__(self, app: ASGIApp, *, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or self._is_right(Headers(scope=scope).get("authorization", "")):
            return await self._app(scope, receive, send)
        return await error_answer(scope, 401, _WANTED, _CHALLENGE)(scope, receive, send)

    def _is_right(self, authorization: str) -> bool:
        scheme, _, given = authorization.partition(" ")
        if scheme.lower() == "bearer":
            token = given.strip().encode("latin-1", "replace")
        else:
            token = _password(given) if scheme.lower() == "basic" else b""
        return secrets.compare_digest(token, self._token)


def _password(encoded: str) -> bytes:
    try:
        return base64.b64decode(encoded, validate=True).partition(b":")[2]
    except (binascii.Error, ValueError):
        return b""

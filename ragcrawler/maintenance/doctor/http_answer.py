"""One request to a service, bounded in time and size."""

import json
import ssl
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

import httpx

_MOST_BYTES = 4 * 2**20


class Answer(NamedTuple):
    """What a service said.

    Attributes:
        status: of HTTP.
        body: the JSON value; None where it is none, or too long.
    """

    status: int
    body: Any


class NoAnswerError(Exception):
    """The service does not answer, or not in time; says which."""


def ask(url: str, seconds: float, headers: Mapping[str, str] | None = None, ca_file: str = "") -> Answer:
    """Get a URL; redirects are not followed.

    Raises:
        NoAnswerError: the service does not answer, or not in time.
    """
    end = time.monotonic() + seconds
    context = ssl.create_default_context(cafile=ca_file) if ca_file else True
    try:
        with (
            httpx.Client(timeout=seconds, verify=context) as client,
            client.stream("GET", url, headers=dict(headers or {})) as response,
        ):
            return Answer(response.status_code, _json(_body(response, end)))
    except httpx.TimeoutException as error:
        raise NoAnswerError(f"no answer within {seconds:g} s") from error
    except httpx.HTTPError as error:
        raise NoAnswerError(f"cannot be reached ({error or type(error).__name__})") from error


def _body(response: httpx.Response, end: float) -> bytes:
    body = b""
    for piece in response.iter_bytes():
        body += piece
        if len(body) > _MOST_BYTES:
            return b""
        if time.monotonic() > end:
            raise httpx.ReadTimeout("slow")
    return body


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None

"""The connection to a Qdrant server, and its failures in words that say what to do."""

import ipaddress
import json
import logging
import re
import ssl
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ragcrawler.stores.config import StoreConfig
from ragcrawler.stores.errors import StoreAwayError, StoreError

if TYPE_CHECKING:
    from qdrant_client import QdrantClient
    from qdrant_client.http.exceptions import UnexpectedResponse

_logger = logging.getLogger(__name__)

_SHOWN_CHARACTERS = 300
# Too many requests, and a gateway or a server that is starting or overloaded.
_LATER = frozenset([429, 502, 503, 504])
_LATER_BY_GRPC = frozenset(["UNAVAILABLE", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED", "ABORTED"])
_NOT_FOUND = 404
_REMEDY = "Try again later, or look into the server's log"
_KEY_REMEDY = "Set QDRANT_API_KEY to a key that may write there"
_MISSING_REMEDY = "Crawl something into it first, or check the collection's name and the address"


def connect(config: StoreConfig) -> "QdrantClient":
    """A client; nothing is sent yet.

    Raises:
        StoreError: the address is none.
    """
    from qdrant_client import QdrantClient

    parts = urlsplit(config.url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise StoreError(
            f"{shown_address(config.url)!r} is no address of a Qdrant server: set QDRANT_URL to "
            "something like http://localhost:6333."
        )
    if config.api_key and parts.scheme == "http" and not _is_loopback(parts.hostname):
        _logger.warning("The API key travels unencrypted to %s: use https.", shown_address(config.url))
    with warnings.catch_warnings():
        # The client warns of a key over plain http even on this machine; where it is right, we said it.
        warnings.simplefilter("ignore", UserWarning)
        return QdrantClient(
            url=config.url,
            api_key=config.api_key or None,
            timeout=config.timeout_seconds,
            check_compatibility=False,
            prefer_grpc=config.prefer_grpc,
            grpc_port=config.grpc_port,
            **_trust(config),
        )


def _trust(config: StoreConfig) -> dict[str, Any]:
    """Whom the client trusts beside, or rather instead of, the machine's own authorities."""
    if not config.ca_file:
        return {}
    try:
        return {"verify": ssl.create_default_context(cafile=config.ca_file)}
    except (OSError, ssl.SSLError) as error:
        raise StoreError(
            f"The certificates in {config.ca_file!r} cannot be used: {error}. Set QDRANT_CA_FILE to a PEM "
            "file."
        ) from error


def shown_address(url: str) -> str:
    """The address without user, password, query and fragment, which may be secret."""
    return re.sub(r"//[^/]*@", "//", re.split(r"[?#]", url, maxsplit=1)[0])


@contextmanager
def server_errors(doing: str, config: StoreConfig) -> Iterator[None]:
    """Turn what goes wrong inside into a StoreError that names the server."""
    from grpc import RpcError
    from qdrant_client.http.exceptions import ApiException, UnexpectedResponse

    try:
        yield
    except UnexpectedResponse as error:
        kind = StoreAwayError if error.status_code in _LATER else StoreError
        raise kind(_told(doing, config, *_answer(error))) from error
    except ApiException as error:
        cause = getattr(error, "source", error)
        said = f"{type(cause).__name__}: {cause}"
        raise StoreAwayError(_told(doing, config, said, _unreached(config))) from error
    except RpcError as error:
        code = error.code().name
        kind = StoreAwayError if code in _LATER_BY_GRPC else StoreError
        raise kind(_told(doing, config, *_rpc_answer(code, error.details() or "", config))) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        said = f"what answers is no Qdrant server, or its data is not ours ({type(error).__name__}: {error})"
        raise StoreError(_told(doing, config, said, "Check the address and the collection's name")) from error


def _answer(error: "UnexpectedResponse") -> tuple[str, str]:
    """The server's message, and the next step."""
    if error.status_code in {401, 403}:
        return f"it refused the API key ({error.status_code})", _KEY_REMEDY
    try:
        said = json.loads(error.content)["status"]["error"]
    except (ValueError, KeyError, TypeError):
        said = error.content.decode("utf-8", "replace")
    remedy = _MISSING_REMEDY if error.status_code == _NOT_FOUND else _REMEDY
    return f"status {error.status_code}, {said}", remedy


def _rpc_answer(code: str, details: str, config: StoreConfig) -> tuple[str, str]:
    """The same of an answer by gRPC."""
    if code in {"UNAUTHENTICATED", "PERMISSION_DENIED"}:
        return f"it refused the API key ({code})", _KEY_REMEDY
    remedy = _unreached(config) if code in _LATER_BY_GRPC else _REMEDY
    return f"{code}, {details}", _MISSING_REMEDY if code == "NOT_FOUND" else remedy


def _unreached(config: StoreConfig) -> str:
    port = f" and port {config.grpc_port}" if config.prefer_grpc else ""
    return (
        f"Check that it runs at this address{port} and answers within {config.timeout_seconds} s, "
        "or unset QDRANT_URL to use the embedded store"
    )


def _told(doing: str, config: StoreConfig, said: str, remedy: str) -> str:
    said = said.replace(config.api_key, "***") if config.api_key else said
    return (
        f"Cannot {doing} the collection {config.collection!r} at {shown_address(config.url)}: "
        f"{said[:_SHOWN_CHARACTERS]}. {remedy}."
    )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

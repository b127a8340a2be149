"""Runs the server until it is told to end."""

import asyncio
import logging
import socket
from collections.abc import Callable
from dataclasses import replace

import uvicorn

from ragcrawler.bootstrap.start_error import StartError
from ragcrawler.config.server import ServerConfig
from ragcrawler.server.app import make_app
from ragcrawler.server.security.http_protocol import GuardedProtocol
from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.services.forms import SearchForm
from ragcrawler.server.services.search import search

logger = logging.getLogger(__name__)

_MOST_CONNECTIONS = 256
_HEADER_BYTES = 32 * 1024
_END_SECONDS = 5
_WAITING = 128


async def serve(
    collection: ServedCollection,
    config: ServerConfig,
    *,
    tell: Callable[[str], None],
    end: asyncio.Event | None = None,
) -> None:
    """Answer requests until `end` is set or the task is cancelled.

    Args:
        collection: that is searched; the caller closes it.
        config: where to listen; port 0 takes any free one.
        tell: is called with the address once requests are answered.
        end: ends the server; without it a cancelled task does.

    Raises:
        StartError: the address cannot be bound.
    """
    listening = _bind(config)
    bound = replace(config, port=listening.getsockname()[1])
    server = uvicorn.Server(
        uvicorn.Config(
            make_app(collection, bound),
            http=GuardedProtocol,
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            lifespan="on",
            limit_concurrency=_MOST_CONNECTIONS,
            h11_max_incomplete_event_size=_HEADER_BYTES,
            timeout_graceful_shutdown=_END_SECONDS,
        )
    )
    ending = asyncio.create_task(_end(server, end)) if end else None
    tell(_address(bound))
    warming = asyncio.create_task(asyncio.to_thread(warm_up, collection))
    try:
        await server.serve([listening])
    finally:
        if ending:
            ending.cancel()
        await warming
        listening.close()


def warm_up(collection: ServedCollection) -> None:
    """Load the models before the first question; one that cannot be loaded says so to whoever asks."""
    try:
        search(collection, SearchForm(q="warm up", limit=1))
    except Exception as error:  # noqa: BLE001  # whatever a model comes up with: the same comes to the first question
        logger.warning("The models could not be loaded yet: %s", error)


async def _end(server: uvicorn.Server, end: asyncio.Event) -> None:
    await end.wait()
    server.should_exit = True


def _bind(config: ServerConfig) -> socket.socket:
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    # By its protocol asyncio knows a socket that is not to wait for a full packet: 40 ms an answer otherwise.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((config.host, config.port))
        listening.listen(_WAITING)
    except (OSError, OverflowError) as error:
        listening.close()
        said = getattr(error, "strerror", None) or error
        raise StartError(
            f"cannot listen on {config.host}:{config.port}: {said}; choose another with --host and --port"
        ) from error
    return listening


def _address(config: ServerConfig) -> str:
    host = f"[{config.host}]" if ":" in config.host else config.host
    return f"http://{host}:{config.port}/"

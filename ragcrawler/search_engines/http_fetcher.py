"""A bounded client of HTTP for services that programs may ask."""

import asyncio
import logging
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

import httpx

from ragcrawler.search_engines.answer import SearchState
from ragcrawler.search_engines.engine import EngineReply, EngineRequest, FetchError

_MAX_BYTES = 8 * 2**20


@cache
def _authorities() -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=False)  # reading them takes longer than most requests


@dataclass(frozen=True, slots=True)
class HttpFetcher:
    """Asks, without following redirects, within a time and a size.

    Attributes:
        seconds: of the whole exchange.
        user_agent: sent with each request.
        proxy: an HTTP proxy, its password included; "" for none. The environment's are not used.
    """

    seconds: float
    user_agent: str = ""
    proxy: str = field(default="", repr=False)

    async def fetch(self, request: EngineRequest) -> EngineReply:
        """Ask.

        Raises:
            FetchError: no answer, none in time, or one that is too large.
        """
        # A compressed body could be a thousand times what arrives.
        headers = {"Accept-Encoding": "identity", "User-Agent": self.user_agent, **request.headers}
        logging.getLogger("httpx").setLevel(logging.WARNING)  # it would log each query
        try:
            async with asyncio.timeout(self.seconds):
                return await self._exchange(request.url, headers)
        except (TimeoutError, httpx.TimeoutException) as error:
            raise FetchError(SearchState.TIMEOUT, f"no answer in {self.seconds:g} s") from error
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            raise FetchError(SearchState.FAILED, f"no answer: {type(error).__name__}") from error

    async def _exchange(self, url: str, headers: Mapping[str, str]) -> EngineReply:
        client = httpx.AsyncClient(
            verify=_authorities(), proxy=self.proxy or None, trust_env=False, timeout=self.seconds
        )
        async with client, client.stream("GET", url, headers=dict(headers)) as response:
            pieces, size = [], 0
            async for piece in response.aiter_raw():
                size += len(piece)
                if size > _MAX_BYTES:
                    raise FetchError(SearchState.FAILED, f"the answer has more than {_MAX_BYTES} bytes")
                pieces.append(piece)
        if response.headers.get("content-encoding", "identity") != "identity":
            raise FetchError(SearchState.FAILED, "the answer is compressed, which was not asked for")
        body = b"".join(pieces).decode("utf-8", "replace")
        return EngineReply(url, response.status_code, dict(response.headers), body)

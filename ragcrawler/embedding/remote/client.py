"""Asking a service, again where that helps, and never faster or more than allowed."""

import asyncio
import json
import random
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ragcrawler.embedding.protocol import EmbeddingError, ModelUnavailableError
from ragcrawler.embedding.remote.budget import RequestBudget
from ragcrawler.embedding.remote.config import RemoteConfig
from ragcrawler.embedding.remote.errors import TextRefusedError, TryAgainError
from ragcrawler.services import RateLimit, retry_after_seconds, silence_request_log

if TYPE_CHECKING:
    import httpx

_MOST_ANSWER_BYTES = 64 * 2**20  # 32 vectors of 4,096 numbers take 3 MB
_MOST_SHOWN = 200
_FIRST_WAIT_SECONDS = 0.5
_TEXTS_TO_BLAME = {400, 413, 422}
_AGAIN = {408, 409, 425, 429}
_SERVER_ERROR = 500
_clock, _sleep = time.monotonic, asyncio.sleep


class RemoteClient:
    """One address, one key; its methods run in one event loop.

    Args:
        url: to which requests go.
        config: how.
        budget: what all requests may cost together.
    """

    def __init__(self, url: str, config: RemoteConfig, budget: RequestBudget) -> None:
        import httpx

        silence_request_log()
        self._url = url
        self._config = config
        self._budget = budget
        self._rate = RateLimit(config.requests_per_minute, config.tokens_per_minute, _clock, _sleep)
        self._at_once = asyncio.Semaphore(config.requests_at_once)
        self._broken: ModelUnavailableError | None = None
        headers = {"Authorization": f"Bearer {config.api_key}"} if config.api_key else {}
        # Redirects are not followed: the key is meant for this address.
        self._http = httpx.AsyncClient(headers=headers, timeout=config.timeout_seconds)

    async def post(self, body: dict[str, object], tokens: int) -> Any:
        """The JSON value that answers a body of about so many tokens.

        Raises:
            TextRefusedError: the service does not take this body.
            ModelUnavailableError: it does not answer, not even after some retries, or refuses whoever asks,
                or the budget is spent.
        """
        attempt = 0
        while True:
            try:
                return await self._once(body, tokens)
            except TryAgainError as error:
                self._rate.pause(self._wait(error, attempt))
            attempt += 1

    async def close(self) -> None:
        await self._http.aclose()

    async def _once(self, body: dict[str, object], tokens: int) -> Any:
        import httpx

        async with self._at_once:
            await self._rate.turn(tokens)
            if self._broken is not None:
                raise self._broken
            self._budget.spend(tokens)
            try:
                async with asyncio.timeout(self._config.timeout_seconds):
                    async with self._http.stream("POST", self._url, json=body) as response:
                        content = await _content(response)
            except (httpx.RequestError, TimeoutError) as error:
                raise TryAgainError(
                    f"{self._url} does not answer ({type(error).__name__}: {self._show(str(error))})"
                ) from error
        if response.status_code == httpx.codes.OK:
            return self._value(content)
        self._budget.correct(tokens, 0)
        raise self._refusal(response, content)

    def _value(self, content: bytes) -> Any:
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as error:
            raise TryAgainError(
                f"{self._url} gave no JSON: {self._show(content.decode('utf-8', 'replace'))}"
            ) from error

    def _refusal(self, response: "httpx.Response", content: bytes) -> EmbeddingError:
        status = response.status_code
        said = f"{self._url} answered {status}: {self._show(content.decode('utf-8', 'replace'))}"
        if status in _AGAIN or status >= _SERVER_ERROR:
            header = response.headers.get("Retry-After")
            return TryAgainError(said, retry_after_seconds(header, datetime.now(UTC)))
        if status in _TEXTS_TO_BLAME:
            return TextRefusedError(said)
        self._broken = ModelUnavailableError(
            f"{said}; see EMBEDDING_URL, EMBEDDING_MODEL and EMBEDDING_API_KEY: the service refuses them"
        )
        return self._broken

    def _wait(self, error: TryAgainError, attempt: int) -> float:
        """Seconds until the next attempt, as the service wants or else twice as long each time.

        Raises:
            ModelUnavailableError: it is not worth another attempt.
        """
        longest = self._config.longest_wait_seconds
        if attempt >= self._config.retries:
            raise ModelUnavailableError(f"{error}; given up after {attempt + 1} requests") from error
        if error.seconds is None:
            wait = min(_FIRST_WAIT_SECONDS * 2.0**attempt, longest)
            return wait * random.uniform(0.5, 1.0)  # noqa: S311 - so that not all come back at once
        if error.seconds > longest:
            raise ModelUnavailableError(
                f"{error}; it asks to wait for {error.seconds:.0f} seconds"
            ) from error
        return error.seconds

    def _show(self, text: str) -> str:
        """The beginning of what a service said, in one line, without the key."""
        key = self._config.api_key
        safe = text.replace(key, "***") if key else text
        return "".join(sign if sign.isprintable() else " " for sign in safe[:_MOST_SHOWN])


async def _content(response: "httpx.Response") -> bytes:
    """The body, as far as it may go.

    Raises:
        TryAgainError: it does not end.
    """
    content = bytearray()
    async for part in response.aiter_bytes():
        content += part
        if len(content) > _MOST_ANSWER_BYTES:
            raise TryAgainError(f"{response.url} gave more than {_MOST_ANSWER_BYTES} bytes")
    return bytes(content)

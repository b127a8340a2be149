"""The HTTP client below the clients of providers: no answer is endless, no prompt leaves for elsewhere."""

import asyncio
from typing import Any

import httpx

_MEBIBYTE = 1024 * 1024
_MOST_MEBIBYTES = 16


class AnswerBoundError(ValueError):
    """A service gave more than an answer may have, or gave it in a form that was not asked for."""


class BoundedClient(httpx.AsyncClient):
    """Gives each answer as a whole, or none; redirects are not followed.

    Args:
        timeout_seconds: from the first byte that is sent to the last one that comes.
    """

    def __init__(self, timeout_seconds: float) -> None:
        super().__init__(timeout=timeout_seconds, follow_redirects=False)
        self._seconds = timeout_seconds

    async def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        """Send a request and read its answer.

        Raises:
            httpx.ReadTimeout: the answer does not end in time.
            AnswerBoundError: it does not end at all, or is packed.
        """
        # What is packed could be a thousand times as long.
        request.headers["Accept-Encoding"] = "identity"
        options |= {"stream": True, "follow_redirects": False}
        try:
            async with asyncio.timeout(self._seconds):
                response = await super().send(request, **options)
                try:
                    content = await _content(response)
                finally:
                    await response.aclose()
        except TimeoutError as error:
            message = f"the answer did not end within {self._seconds:g} seconds"
            raise httpx.ReadTimeout(message, request=request) from error
        whole = httpx.Response(
            response.status_code,
            headers=response.headers,
            content=content,
            request=request,
            extensions=response.extensions,
        )
        whole.elapsed = response.elapsed
        return whole


class ClientTransport(httpx.AsyncBaseTransport):
    """A client as a part of another one, for providers that make their own."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return await self._client.send(request)

    async def aclose(self) -> None:
        await self._client.aclose()


async def _content(response: httpx.Response) -> bytes:
    packed = response.headers.get("Content-Encoding", "identity")
    if packed != "identity":
        raise AnswerBoundError(f"the answer is packed ({packed[:20]}), though that was not asked for")
    content = bytearray()
    async for part in response.aiter_raw():
        content += part
        if len(content) > _MOST_MEBIBYTES * _MEBIBYTE:
            raise AnswerBoundError(f"the answer has more than {_MOST_MEBIBYTES} MiB")
    return bytes(content)

"""OpenAI's Batch API: a file of requests in, a file of answers out."""

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

from ragcrawler.llm.async_client import make_async_client
from ragcrawler.llm.batches.failures import batch_failures
from ragcrawler.llm.batches.protocol import BatchAnswer, BatchCall
from ragcrawler.llm.batches.requests import request_body
from ragcrawler.llm.calls.usage import Usage
from ragcrawler.llm.config import LanguageModelConfig

_ENDPOINT = "/v1/chat/completions"
_OURS = "ragcrawler"
_OVER = {"completed", "failed", "expired", "cancelled"}
_LISTED = 100
_REPEATS = 3  # of requests that change nothing
_SHOWN_CHARACTERS = 200


class OpenAIBatches:
    """A `BatchService` at OpenAI, or at a server with its interface."""

    def __init__(self, config: LanguageModelConfig) -> None:
        """Make the client; nothing is sent yet.

        Raises:
            LanguageModelError: the provider's package is not installed.
        """
        opened: Any = make_async_client(config, for_batches=True)
        self._config = config
        self._opened = opened
        self._client = opened.client
        self._patient = self._client.with_options(max_retries=_REPEATS)
        self._name = config.model if config.base_url else config.model.partition("/")[2]

    async def submit(self, token: str, calls: Sequence[BatchCall]) -> str:
        lines = "".join(json.dumps(self._line(call)) + "\n" for call in calls)
        with batch_failures(self._config, "took no batch"):
            file = await self._client.files.create(file=(f"{token}.jsonl", lines.encode()), purpose="batch")
            batch = await self._client.batches.create(
                input_file_id=file.id,
                endpoint=_ENDPOINT,
                completion_window="24h",
                metadata={_OURS: token},
            )
        return str(batch.id)

    async def find(self, token: str, calls: int) -> str:  # noqa: ARG002 - others know it by their number
        with batch_failures(self._config, "lists no batches"):
            listed = await self._patient.batches.list(limit=_LISTED)
        return next((each.id for each in listed.data if (each.metadata or {}).get(_OURS) == token), "")

    async def is_over(self, batch_id: str) -> bool:
        return (await self._batch(batch_id)).status in _OVER

    async def results(self, batch_id: str) -> AsyncIterator[BatchAnswer]:
        """See `BatchService`."""
        batch = await self._batch(batch_id)
        for error in batch.errors.data or () if batch.errors else ():
            yield BatchAnswer("", fault=str(error.message)[:_SHOWN_CHARACTERS])
        for file_id in filter(None, (batch.output_file_id, batch.error_file_id)):
            with batch_failures(self._config, "gave no results of a batch"):
                opening = self._patient.files.with_streaming_response.content(file_id)
                async with opening as response:
                    async for line in response.iter_lines():
                        if line.strip():
                            yield _answer(json.loads(line))

    async def cancel(self, batch_id: str) -> None:
        with batch_failures(self._config, "did not cancel a batch"):
            await self._patient.batches.cancel(batch_id)

    async def close(self) -> None:
        await self._client.close()

    async def _batch(self, batch_id: str) -> Any:
        with batch_failures(self._config, "says nothing of a batch"):
            return await self._patient.batches.retrieve(batch_id)

    def _line(self, call: BatchCall) -> dict[str, Any]:
        body = request_body(self._config, call.request, self._name, self._opened)
        return {"custom_id": call.name, "method": "POST", "url": _ENDPOINT, "body": body}


def _answer(line: dict[str, Any]) -> BatchAnswer:
    """The end of a call, from a line of the output file or of the error file."""
    name, response = str(line["custom_id"]), line.get("response") or {}
    body = response.get("body") or {}
    if not body.get("choices"):
        said = line.get("error") or body.get("error") or response
        return BatchAnswer(name, fault=json.dumps(said)[:_SHOWN_CHARACTERS])
    message = body["choices"][0]["message"]
    calls = message.get("tool_calls") or []
    text = calls[0]["function"]["arguments"] if calls else message.get("content") or ""
    return BatchAnswer(name, text, _usage(body.get("usage") or {}))


def _usage(counts: dict[str, Any]) -> Usage:
    cached = (counts.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
    return Usage(counts.get("prompt_tokens", 0), counts.get("completion_tokens", 0), cached)

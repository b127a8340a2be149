"""Anthropic's Message Batches."""

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

from ragcrawler.llm.async_client import make_async_client
from ragcrawler.llm.batches.failures import batch_failures
from ragcrawler.llm.batches.protocol import BatchAnswer, BatchCall
from ragcrawler.llm.batches.requests import request_body
from ragcrawler.llm.calls.instructor_model import usage_of
from ragcrawler.llm.calls.usage import Usage
from ragcrawler.llm.config import LanguageModelConfig

_LISTED = 20
_REPEATS = 3  # of requests that change nothing
_SHOWN_CHARACTERS = 200


class AnthropicBatches:
    """A `BatchService` at Anthropic."""

    def __init__(self, config: LanguageModelConfig) -> None:
        """Make the client; nothing is sent yet.

        Raises:
            LanguageModelError: the provider's package is not installed.
        """
        opened: Any = make_async_client(config, for_batches=True)
        self._config = config
        self._opened = opened
        self._client = opened.client
        self._batches = self._client.with_options(max_retries=_REPEATS).messages.batches
        self._name = config.model.partition("/")[2]

    async def submit(self, token: str, calls: Sequence[BatchCall]) -> str:  # noqa: ARG002 - it is in the names
        requests = [
            {
                "custom_id": call.name,
                "params": request_body(self._config, call.request, self._name, self._opened),
            }
            for call in calls
        ]
        with batch_failures(self._config, "took no batch"):
            batch = await self._client.messages.batches.create(requests=requests)
        return str(batch.id)

    async def find(self, token: str, calls: int) -> str:
        """See `BatchService`."""
        with batch_failures(self._config, "lists no batches"):
            listed = await self._batches.list(limit=_LISTED)
            for batch in listed.data:
                if await self._is(batch, token, calls):
                    return str(batch.id)
        return ""

    async def is_over(self, batch_id: str) -> bool:
        with batch_failures(self._config, "says nothing of a batch"):
            batch = await self._batches.retrieve(batch_id)
        return bool(batch.processing_status == "ended")

    async def results(self, batch_id: str) -> AsyncIterator[BatchAnswer]:
        """See `BatchService`."""
        with batch_failures(self._config, "gave no results of a batch"):
            async for each in await self._batches.results(batch_id):
                yield _answer(each)

    async def cancel(self, batch_id: str) -> None:
        with batch_failures(self._config, "did not cancel a batch"):
            await self._batches.cancel(batch_id)

    async def close(self) -> None:
        await self._client.close()

    async def _is(self, batch: Any, token: str, calls: int) -> bool:
        """Whether a batch bears our names, or, while it is under way, has as many calls as ours."""
        counts = batch.request_counts
        if batch.processing_status != "ended":
            return bool(counts.processing == calls)
        if counts.succeeded + counts.errored + counts.canceled + counts.expired != calls:
            return False
        async for each in await self._batches.results(batch.id):
            return str(each.custom_id).startswith(f"{token}-")
        return False


def _answer(each: Any) -> BatchAnswer:
    if each.result.type != "succeeded":
        error = getattr(each.result, "error", None)
        said = str(getattr(getattr(error, "error", None), "message", each.result.type))
        return BatchAnswer(each.custom_id, fault=said[:_SHOWN_CHARACTERS])
    message = each.result.message
    used: Usage = usage_of(message)
    forms = [block.input for block in message.content if block.type == "tool_use"]
    return BatchAnswer(each.custom_id, json.dumps(forms[0]) if forms else "", used)

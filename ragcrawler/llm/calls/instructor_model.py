"""A language model through instructor, asked for many forms at a time."""

import asyncio
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from ragcrawler.llm.async_client import make_async_client
from ragcrawler.llm.calls.model import CallRequest, InvalidAnswerError, ModelBusyError, ModelRefusedError
from ragcrawler.llm.calls.usage import Usage
from ragcrawler.llm.config import LanguageModelConfig
from ragcrawler.llm.form_fault import is_cut_off, misfit
from ragcrawler.llm.instructor_client import bounds, causes, explain, messages, out_of_bounds
from ragcrawler.llm.protocol import FormT, LanguageModelError
from ragcrawler.services import retry_after_seconds

_BUSY = {408, 409, 425, 429}
_REFUSED = {401, 402, 403, 404}  # HTTP: whoever asks, or the model: no other call will fare better
_SERVER_ERROR = 500
# Counts of OpenAI's interface, Anthropic's and Gemini's.
_READ = ("prompt_tokens", "input_tokens", "prompt_token_count")
_WRITTEN = ("completion_tokens", "output_tokens", "candidates_token_count")
_THOUGHT = "thoughts_token_count"  # Gemini's, billed as written
_FROM_CACHE = ("cached_tokens", "cache_read_input_tokens", "cached_content_token_count")


class AsyncInstructorModel:
    """An `AsyncLanguageModel`; it sends one request a call: each is entered in the ledger before."""

    def __init__(self, config: LanguageModelConfig) -> None:
        """Make the client; nothing is sent yet.

        Raises:
            LanguageModelError: instructor or the provider's own package is not installed, or the name is of
                no provider.
        """
        self._config = config
        self._client = make_async_client(config)

    @property
    def name(self) -> str:
        return self._config.model

    async def fill(self, request: CallRequest[FormT]) -> tuple[FormT, Usage]:
        try:
            # Providers of which instructor makes the client know no bound on the whole.
            async with asyncio.timeout(self._config.timeout_seconds):
                filled, completion = await self._client.create_with_completion(
                    response_model=request.form,
                    messages=messages(self._config, request.prompt),  # type: ignore[arg-type]  # dicts
                    max_retries=0,  # one request
                    temperature=0.0,
                    **bounds(self._config, request.max_output_tokens),
                )
        except Exception as error:
            # What a provider's client may raise is not one hierarchy.
            raise self._classified(error) from error
        return request.form.model_validate(filled.model_dump()), usage_of(completion)

    async def close(self) -> None:
        close = getattr(self._client.client, "close", None)
        if close is not None:
            await close()

    def _classified(self, error: Exception) -> LanguageModelError:
        """The error as one that says whether asking again helps."""
        bounded = out_of_bounds(error)
        chain = [bounded] if bounded else list(causes(error))
        for cause in chain:
            status = getattr(cause, "status_code", None) or getattr(cause, "code", None)
            if isinstance(status, int):
                return self._refusal(status, cause)
            if "timeout" in type(cause).__name__.lower():
                late = explain(self._config, "gave no answer in time", cause)
                return ModelBusyError(late, may_be_billed=True)
            if "connect" in type(cause).__name__.lower():
                return ModelBusyError(explain(self._config, "does not answer", cause))
        if message := misfit(self._config, error):
            completion = getattr(error, "last_completion", None)
            usage = usage_of(completion) if completion is not None else Usage()
            return InvalidAnswerError(message, usage, is_final=is_cut_off(error))
        if isinstance(chain[-1], ValueError):  # an answer came, and it is no JSON, or too long
            damaged = explain(self._config, "gave a damaged answer", chain[-1])
            return ModelBusyError(damaged, may_be_billed=True)
        return LanguageModelError(explain(self._config, "gave no answer", chain[-1]))

    def _refusal(self, status: int, error: BaseException) -> LanguageModelError:
        said = explain(self._config, f"answered {status}", error)
        if status in _REFUSED:
            return ModelRefusedError(said)
        if status not in _BUSY and status < _SERVER_ERROR:
            return LanguageModelError(said)
        headers = getattr(getattr(error, "response", None), "headers", None) or {}
        return ModelBusyError(said, retry_after_seconds(headers.get("retry-after"), datetime.now(UTC)))


def usage_of(completion: Any) -> Usage:
    """The counts that a provider gives with an answer."""
    reported = getattr(completion, "usage", None) or getattr(completion, "usage_metadata", None)
    counts = dict(_counts(reported))
    read, written, cached = (
        next((counts[name] for name in names if name in counts), 0)
        for names in (_READ, _WRITTEN, _FROM_CACHE)
    )
    if "cache_read_input_tokens" in counts:  # Anthropic counts cached tokens apart from the input
        read += cached + counts.get("cache_creation_input_tokens", 0)
    return Usage(read, written + counts.get(_THOUGHT, 0), cached)


def _counts(reported: Any) -> Iterator[tuple[str, int]]:
    """All whole numbers of a report of usage, those of its details included."""
    fields: Mapping[str, Any] = getattr(reported, "__dict__", None) or {}
    for name, value in fields.items():
        if isinstance(value, int):
            yield name, value
        elif name == "prompt_tokens_details":
            yield from _counts(value)

"""Clients for an event loop; each sends one request a call: the caller repeats, and enters each one."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ragcrawler.llm.config import LanguageModelConfig
from ragcrawler.llm.instructor_client import explain, load_instructor, open_endpoint
from ragcrawler.llm.protocol import LanguageModelError

if TYPE_CHECKING:
    from instructor import AsyncInstructor

_OLLAMA = "http://localhost:11434/v1"


def make_async_client(config: LanguageModelConfig) -> "AsyncInstructor":
    """A client of the provider that the model's name begins with, or of the endpoint; nothing is sent yet.

    Raises:
        LanguageModelError: instructor or the provider's own package is not installed, or the name is of no
            provider.
    """
    instructor = load_instructor()
    provider, _, name = config.model.partition("/")
    try:
        if config.base_url:
            client = open_endpoint(instructor, config, config.model, is_async=True)
        elif provider in _PROVIDERS:
            client = _PROVIDERS[provider](instructor, config, name)
        else:
            options: dict[str, Any] = {"api_key": config.api_key} if config.api_key else {}
            client = instructor.from_provider(config.model, async_client=True, **options)
    except Exception as error:
        # Providers raise what they like: missing packages, missing keys, unknown names.
        raise LanguageModelError(explain(config, "cannot be opened", error)) from error
    opened: AsyncInstructor = client
    return opened


def _openai(instructor: Any, config: LanguageModelConfig, name: str) -> Any:
    return open_endpoint(instructor, config, name, is_async=True)


def _ollama(instructor: Any, config: LanguageModelConfig, name: str) -> Any:
    return open_endpoint(instructor, config, name, is_async=True, base_url=_OLLAMA)


def _anthropic(instructor: Any, config: LanguageModelConfig, name: str) -> Any:
    from anthropic import AsyncAnthropic

    client = AsyncAnthropic(api_key=config.api_key or None, timeout=config.timeout_seconds, max_retries=0)
    return instructor.from_anthropic(client, model=name)


def _google(instructor: Any, config: LanguageModelConfig, name: str) -> Any:
    from google.genai import Client
    from google.genai.types import HttpOptions

    options = HttpOptions(timeout=int(config.timeout_seconds * 1000))
    client = Client(api_key=config.api_key or None, http_options=options)
    return instructor.from_genai(client, model=name, use_async=True)


_PROVIDERS: dict[str, Callable[[Any, LanguageModelConfig, str], Any]] = {
    "openai": _openai,
    "ollama": _ollama,
    "anthropic": _anthropic,
    "google": _google,
    "gemini": _google,
}

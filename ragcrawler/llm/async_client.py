"""Clients of instructor, for an event loop: any provider that it knows, and every OpenAI-compatible endpoint.

Each sends one request a call: the caller repeats, and enters each one.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ragcrawler.llm.config import LanguageModelConfig
from ragcrawler.llm.instructor_client import explain, load_instructor
from ragcrawler.llm.protocol import LanguageModelError

if TYPE_CHECKING:
    from httpx import AsyncClient
    from instructor import AsyncInstructor

_NO_KEY = "none"  # local servers want none, and the client refuses an empty one
_OLLAMA = "http://localhost:11434/v1"


def make_async_client(config: LanguageModelConfig, *, for_batches: bool = False) -> "AsyncInstructor":
    """A client of the provider that the model's name begins with, or of the endpoint; nothing is sent yet.

    Answers are bounded, see `bounded_http`; those of batches are files, and read piece by piece.

    Raises:
        LanguageModelError: instructor or the provider's own package is not installed, or the name is of no
            provider.
    """
    instructor = load_instructor()
    provider, _, name = config.model.partition("/")
    try:
        if config.base_url:
            client = _openai(instructor, config, config.model, _http(config, for_batches))
        elif provider in _PROVIDERS:
            client = _PROVIDERS[provider](instructor, config, name, _http(config, for_batches))
        else:
            options: dict[str, Any] = {"api_key": config.api_key} if config.api_key else {}
            client = instructor.from_provider(config.model, async_client=True, **options)
    except Exception as error:
        # Providers raise what they like: missing packages, missing keys, unknown names.
        raise LanguageModelError(explain(config, "cannot be opened", error)) from error
    opened: AsyncInstructor = client
    return opened


def _http(config: LanguageModelConfig, for_batches: bool) -> "AsyncClient":
    import httpx

    from ragcrawler.llm.bounded_http import BoundedClient

    if for_batches:
        return httpx.AsyncClient(timeout=config.timeout_seconds, follow_redirects=False)
    return BoundedClient(config.timeout_seconds)


def _openai(
    instructor: Any, config: LanguageModelConfig, name: str, http: "AsyncClient", base_url: str = ""
) -> Any:
    """A client of OpenAI's interface at the configured address, the one given, or OpenAI's own."""
    from openai import AsyncOpenAI

    address = config.base_url or base_url
    client = AsyncOpenAI(
        base_url=address or None,
        api_key=config.api_key or (_NO_KEY if address else None),
        timeout=config.timeout_seconds,
        max_retries=0,
        http_client=http,  # type: ignore[arg-type]  # it takes httpx's clients too
    )
    modes = instructor.Mode
    mode = {"tools": modes.TOOLS, "json_schema": modes.JSON_SCHEMA, "json": modes.JSON}[config.output]
    return instructor.from_openai(client, mode=mode, model=name)


def _ollama(instructor: Any, config: LanguageModelConfig, name: str, http: "AsyncClient") -> Any:
    return _openai(instructor, config, name, http, base_url=_OLLAMA)


def _anthropic(instructor: Any, config: LanguageModelConfig, name: str, http: "AsyncClient") -> Any:
    from anthropic import AsyncAnthropic

    client = AsyncAnthropic(
        api_key=config.api_key or None, timeout=config.timeout_seconds, max_retries=0, http_client=http
    )
    return instructor.from_anthropic(client, model=name)


def _google(instructor: Any, config: LanguageModelConfig, name: str, http: "AsyncClient") -> Any:
    from google.genai import Client
    from google.genai.types import HttpOptions

    from ragcrawler.llm.bounded_http import ClientTransport

    arguments = {"transport": ClientTransport(http), "follow_redirects": False}
    options = HttpOptions(timeout=int(config.timeout_seconds * 1000), async_client_args=arguments)
    client = Client(api_key=config.api_key or None, http_options=options)
    vars(client)["close"] = http.aclose  # it does not know of the client below its own, which stays open
    return instructor.from_genai(client, model=name, use_async=True)


_PROVIDERS: dict[str, Callable[[Any, LanguageModelConfig, str, "AsyncClient"], Any]] = {
    "openai": _openai,
    "ollama": _ollama,
    "anthropic": _anthropic,
    "google": _google,
    "gemini": _google,
}

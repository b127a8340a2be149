"""What is said to the clients of instructor, and what they raise."""

import logging
import re
from collections.abc import Iterator
from typing import Any

from ragcrawler.llm.config import LanguageModelConfig
from ragcrawler.llm.protocol import LanguageModelError, Prompt
from ragcrawler.services import silence_request_log

_SHOWN_CHARACTERS = 300
# A provider's client may have taken its key from an environment that we do not read.
_KEY = re.compile(r"\bsk-[\w-]{8,}|\bAIza[\w-]{20,}")
_REFUSED_REQUEST = {400, 422, 501}  # HTTP: it is not one that the server can serve
_ONE_TEXT = ("google/", "gemini/")  # instructor hands over no parts of a message there


def load_instructor() -> Any:
    """The library.

    Raises:
        LanguageModelError: it is not installed.
    """
    try:
        import instructor
    except ImportError as error:
        raise LanguageModelError("instructor is not installed: pip install 'ragcrawler[llm]'") from error
    # It logs what is raised as well, with the key where the provider's message repeats it.
    logging.getLogger("instructor").setLevel(logging.CRITICAL)
    silence_request_log()
    return instructor


def messages(config: LanguageModelConfig, prompt: Prompt) -> list[dict[str, Any]]:
    """The messages: instructions, then the document that many calls share, then the material."""
    head = {"role": "system", "content": prompt.instructions}
    if not prompt.document:
        return [head, {"role": "user", "content": prompt.material}]
    if not config.base_url and config.model.startswith(_ONE_TEXT):
        return [head, {"role": "user", "content": f"{prompt.document}\n\n{prompt.material}"}]
    document: dict[str, Any] = {"type": "text", "text": prompt.document}
    if config.model.startswith("anthropic/"):  # others cache equal beginnings by themselves
        document["cache_control"] = {"type": "ephemeral"}
    return [head, {"role": "user", "content": [document, {"type": "text", "text": prompt.material}]}]


def bounds(config: LanguageModelConfig, max_output_tokens: int) -> dict[str, Any]:
    """The bound of an answer, as the provider calls it."""
    is_openai = config.model.startswith("openai/") and not config.base_url
    return {"max_completion_tokens" if is_openai else "max_tokens": max_output_tokens}


def named(config: LanguageModelConfig) -> str:
    """The model and its place, as messages begin."""
    place = f" at {config.base_url}" if config.base_url else ""
    return f"the language model {config.model!r}{place}"


def without_key(config: LanguageModelConfig, said: str) -> str:
    """The message of a provider, without the key, or what looks like one."""
    return _KEY.sub("***", said.replace(config.api_key, "***") if config.api_key else said)


def explain(config: LanguageModelConfig, what: str, error: BaseException) -> str:
    """A message with the beginning of what was said, without the key, which some providers repeat."""
    # instructor wraps what the provider's client raised, and that may wrap what our own did.
    cause = (
        error.__cause__ if type(error).__name__ == "InstructorRetryException" and error.__cause__ else error
    )
    cause = out_of_bounds(cause) or cause
    said = without_key(config, " ".join(str(cause).split()))
    is_refused = getattr(cause, "status_code", None) in _REFUSED_REQUEST and config.base_url
    ways = "; if the server cannot do what LLM_OUTPUT asks for, set it to another way" if is_refused else ""
    return (
        f"{named(config)} {what}: {type(cause).__name__}: {said[:_SHOWN_CHARACTERS]}. "
        f"Check LLM_MODEL, LLM_BASE_URL and LLM_API_KEY{ways}"
    )


def out_of_bounds(error: BaseException) -> BaseException | None:
    """What our HTTP client raised, where the error stems from that."""
    from ragcrawler.llm.bounded_http import AnswerBoundError

    return next((cause for cause in causes(error) if isinstance(cause, AnswerBoundError)), None)


def causes(error: BaseException) -> Iterator[BaseException]:
    """An error, and what it was raised from."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        attempts = getattr(cause, "failed_attempts", None)
        cause = attempts[-1].exception if attempts else (cause.__cause__ or cause.__context__)

"""Language models through instructor: any provider that it knows, and every OpenAI-compatible endpoint."""

import logging
from typing import TYPE_CHECKING, Any

from ragcrawler.llm.config import LanguageModelConfig
from ragcrawler.llm.protocol import FormT, LanguageModelError, Prompt

if TYPE_CHECKING:
    from instructor import Instructor

_SHOWN_CHARACTERS = 300
_NO_KEY = "none"  # local servers want none, and the client refuses an empty one


class InstructorModel:
    """A `LanguageModel` whose answers are checked against the form, and asked for again where they fail."""

    def __init__(self, config: LanguageModelConfig) -> None:
        """Make the client; nothing is sent yet.

        Raises:
            LanguageModelError: instructor or the provider's own package is not installed, or the name is of
                no provider.
        """
        self._config = config
        try:
            self._client = _local(config) if config.base_url else _provider(config)
        except LanguageModelError:
            raise
        except Exception as error:
            # Providers raise what they like: missing packages, missing keys, unknown names.
            raise self._told("cannot be opened", error) from error

    @property
    def name(self) -> str:
        """See `LanguageModel`."""
        return self._config.model

    def fill(self, form: type[FormT], prompt: Prompt) -> FormT:
        """See `LanguageModel`."""
        config = self._config
        try:
            filled: FormT = self._client.create(
                response_model=form,
                messages=[
                    {"role": "system", "content": prompt.instructions},
                    {"role": "user", "content": prompt.material},
                ],
                max_retries=config.attempts - 1,
                max_tokens=config.max_output_tokens,
                temperature=0.0,
            )
            # What comes is of a class of its own that carries the raw response.
            return form.model_validate(filled.model_dump())
        except Exception as error:
            # What a provider's client may raise is not one hierarchy.
            raise self._told("gave no answer", error) from error

    def _told(self, what: str, error: Exception) -> LanguageModelError:
        """The first of what was said, without the key, which some providers repeat."""
        said = " ".join(str(error).split())
        if self._config.api_key:
            said = said.replace(self._config.api_key, "***")
        place = f" at {self._config.base_url}" if self._config.base_url else ""
        return LanguageModelError(
            f"the language model {self._config.model!r}{place} {what}: {type(error).__name__}: "
            f"{said[:_SHOWN_CHARACTERS]}. Check LLM_MODEL, LLM_BASE_URL and LLM_API_KEY"
        )


def _local(config: LanguageModelConfig) -> "Instructor":
    instructor = _instructor()
    from openai import OpenAI

    client = OpenAI(
        base_url=config.base_url,
        api_key=config.api_key or _NO_KEY,
        timeout=config.timeout_seconds,
        max_retries=0,
    )
    made: Instructor = instructor.from_openai(client, mode=_mode(config), model=config.model)
    return made


def _provider(config: LanguageModelConfig) -> "Instructor":
    instructor = _instructor()
    options = {"api_key": config.api_key} if config.api_key else {}
    made: Instructor = instructor.from_provider(config.model, timeout=config.timeout_seconds, **options)
    return made


def _mode(config: LanguageModelConfig) -> Any:
    modes = _instructor().Mode
    return {"tools": modes.TOOLS, "json_schema": modes.JSON_SCHEMA, "json": modes.JSON}[config.output]


def _instructor() -> Any:
    try:
        import instructor
    except ImportError as error:
        raise LanguageModelError("instructor is not installed: pip install 'ragcrawler[llm]'") from error
    # It logs what is raised as well, with the key where the provider's message repeats it.
    logging.getLogger("instructor").setLevel(logging.CRITICAL)
    return instructor

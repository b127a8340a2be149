"""A language model through instructor, asked for one form at a time."""

import asyncio
from functools import cache

from ragcrawler.llm.async_client import make_async_client
from ragcrawler.llm.config import LanguageModelConfig
from ragcrawler.llm.form_fault import misfit
from ragcrawler.llm.instructor_client import bounds, explain, messages
from ragcrawler.llm.protocol import FormT, LanguageModelError, Prompt
from ragcrawler.services import LoopThread


class InstructorModel:
    """A `LanguageModel` whose answers are checked against the form, and asked for again where they fail."""

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

    def fill(self, form: type[FormT], prompt: Prompt) -> FormT:
        try:
            return _loop().run(self._filled(form, prompt))
        except Exception as error:
            # What a provider's client may raise is not one hierarchy.
            raise LanguageModelError(
                misfit(self._config, error) or explain(self._config, "gave no answer", error)
            ) from error

    async def _filled(self, form: type[FormT], prompt: Prompt) -> FormT:
        config = self._config
        # Providers of which instructor makes the client know no bound on the whole.
        async with asyncio.timeout(config.timeout_seconds * config.attempts):
            filled: FormT = await self._client.create(
                response_model=form,
                messages=messages(config, prompt),  # type: ignore[arg-type]  # dicts
                max_retries=config.attempts - 1,
                temperature=0.0,
                **bounds(config, config.max_output_tokens),
            )
        # What comes is of a class of its own that carries the raw response.
        return form.model_validate(filled.model_dump())


@cache
def _loop() -> LoopThread:
    """One for all models: a blocking client can only bound the wait for the next byte."""
    return LoopThread("language-models")

"""Open the language model that the configuration names, for many calls at a time."""

from pathlib import Path

from ragcrawler.llm.calls.instructor_model import AsyncInstructorModel
from ragcrawler.llm.calls.model import AsyncLanguageModel, CallRequest
from ragcrawler.llm.calls.usage import Usage
from ragcrawler.llm.config import LanguageModelConfig
from ragcrawler.llm.protocol import FormT
from ragcrawler.llm.scripted import ScriptedModel

_SCRIPTED = "scripted/"


class ScriptedCalls:
    """An `AsyncLanguageModel` that reads its answers from a script, and uses nothing."""

    def __init__(self, script: ScriptedModel, name: str) -> None:
        self._script = script
        self.name = name

    async def fill(self, request: CallRequest[FormT]) -> tuple[FormT, Usage]:
        """See `AsyncLanguageModel`."""
        return self._script.fill(request.form, request.prompt), Usage()

    async def close(self) -> None:
        """Nothing is open."""


def open_async_model(config: LanguageModelConfig) -> AsyncLanguageModel:
    """The model; nothing is sent yet.

    Raises:
        LanguageModelError: it cannot be opened.
    """
    if config.model.startswith(_SCRIPTED):
        script = ScriptedModel.from_file(Path(config.model.removeprefix(_SCRIPTED)))
        return ScriptedCalls(script, config.model)
    return AsyncInstructorModel(config)

"""Open the language model that the configuration names."""

from pathlib import Path

from ragcrawler.llm.config import LanguageModelConfig
from ragcrawler.llm.protocol import LanguageModel, LanguageModelError
from ragcrawler.llm.scripted import ScriptedModel

_SCRIPTED = "scripted/"


def open_language_model(config: LanguageModelConfig) -> LanguageModel:
    """The model; nothing is sent yet.

    Raises:
        LanguageModelError: none is configured, or it cannot be opened.
    """
    if not config.model:
        raise LanguageModelError(
            "no language model is configured: set LLM_MODEL, to openai/NAME with LLM_API_KEY say, or to the "
            "NAME that an OpenAI-compatible server at LLM_BASE_URL gives it"
        )
    if config.model.startswith(_SCRIPTED):
        return ScriptedModel.from_file(Path(config.model.removeprefix(_SCRIPTED)))
    from ragcrawler.llm.instructor_model import InstructorModel

    return InstructorModel(config)

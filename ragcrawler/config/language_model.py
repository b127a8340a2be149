"""The language model that the settings name."""

from collections.abc import Mapping

from ragcrawler.config.reader import SettingsReader
from ragcrawler.llm import LanguageModelConfig


def language_model_config(settings: Mapping[str, object]) -> LanguageModelConfig:
    """How the language model is asked.

    Raises:
        SettingError: a setting is invalid.
    """
    read = SettingsReader(settings)
    return LanguageModelConfig(
        model=read.text("LLM_MODEL"),
        base_url=read.address("LLM_BASE_URL"),
        api_key=read.text("LLM_API_KEY"),
        output=read.choice("LLM_OUTPUT", ("tools", "json_schema", "json")),  # type: ignore[arg-type]  # checked
        timeout_seconds=read.number("LLM_TIMEOUT_SECONDS"),
        attempts=read.integer("LLM_ATTEMPTS", minimum=1),
        max_output_tokens=read.integer("LLM_MAX_OUTPUT_TOKENS", minimum=64),
    )

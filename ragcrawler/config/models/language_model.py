"""The language model that the settings name, and how it is asked many times."""

from collections.abc import Mapping

from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import SettingsReader
from ragcrawler.llm.calls.budget import CallBudget, CallerConfig
from ragcrawler.llm.calls.usage import Price
from ragcrawler.llm.config import LanguageModelConfig


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


def caller_config(settings: Mapping[str, object], budget: CallBudget) -> CallerConfig:
    """How many calls are made: at once, a minute, for which price, within a budget.

    Raises:
        SettingError: one of its settings is invalid.
    """
    read = SettingsReader(settings)
    fresh = read.amount("LLM_PRICE_INPUT")
    cached = read.amount("LLM_PRICE_CACHED_INPUT") if settings.get("LLM_PRICE_CACHED_INPUT") else fresh
    price = Price(fresh, read.amount("LLM_PRICE_OUTPUT"), cached)
    if budget.dollars and not (price.input_tokens and price.output_tokens):
        name = "LLM_PRICE_OUTPUT" if price.input_tokens else "LLM_PRICE_INPUT"
        raise SettingError(name, settings.get(name), f"the price, for {budget.setting}_USD bounds dollars")
    return CallerConfig(
        concurrency=read.integer("LLM_CONCURRENCY", minimum=1),
        requests_per_minute=read.integer("LLM_REQUESTS_PER_MINUTE"),
        tokens_per_minute=read.integer("LLM_TOKENS_PER_MINUTE"),
        attempts=read.integer("LLM_ATTEMPTS", minimum=1),
        retries=read.integer("LLM_RETRIES"),
        price=price,
        budget=budget,
    )

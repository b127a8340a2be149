"""Probe of the language model; nothing is asked that costs."""

from collections.abc import Mapping
from typing import Any

from ragcrawler.config.models.language_model import language_model_config
from ragcrawler.llm.config import LanguageModelConfig
from ragcrawler.llm.open import open_language_model
from ragcrawler.llm.protocol import LanguageModelError
from ragcrawler.maintenance.doctor.finding import Finding, unused
from ragcrawler.maintenance.doctor.http_answer import NoAnswerError, ask

_OK, _REFUSED = 200, {401, 403}


def language_model(settings: Mapping[str, object], seconds: float) -> Finding:
    """Whether it can be opened, and whether its endpoint lists it; providers of a name are not asked."""
    config = language_model_config(settings)
    if not config.model:
        return unused("LLM_MODEL names none")
    try:
        open_language_model(config)
    except LanguageModelError as error:
        return Finding("failed", str(error), "look at LLM_MODEL and LLM_API_KEY")
    if not config.base_url:
        return Finding("ok", f"{config.model} can be opened; the provider was not asked")
    try:
        return _endpoint(config, seconds)
    except NoAnswerError as error:
        return Finding("failed", f"{config.base_url} {error}", "start the server, or look at LLM_BASE_URL")


def _endpoint(config: LanguageModelConfig, seconds: float) -> Finding:
    headers = {"Authorization": f"Bearer {config.api_key}"} if config.api_key else {}
    answer = ask(f"{config.base_url.rstrip('/')}/models", seconds, headers)
    if answer.status in _REFUSED:
        return Finding("failed", f"{config.base_url} refuses the key", "look at LLM_API_KEY")
    names = _names(answer.body)
    if answer.status != _OK or names is None:
        found = f"{config.base_url} answers, but lists no models (HTTP {answer.status})"
        return Finding("warning", found, "try scrapy ask; look at LLM_BASE_URL, which ends with the version")
    if config.model not in names:
        return Finding(
            "failed", f"{config.base_url} has no {config.model}", f"it has {', '.join(names[:10])}"
        )
    return Finding("ok", f"{config.model} at {config.base_url}")


def _names(body: Any) -> list[str] | None:
    try:
        return [str(each["id"]) for each in body["data"]]
    except (TypeError, KeyError):
        return None

"""Settings that are invalid, or that contradict each other."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from ragcrawler.config.checks import CRAWL_CHECKS, Check, refusals
from ragcrawler.config.crawling.search_engines import SearchEnginesConfig
from ragcrawler.config.crawling.sharing import SharingConfig
from ragcrawler.config.models.language_model import language_model_config
from ragcrawler.config.models.research import research_config
from ragcrawler.config.models.search import reranker_name, search_options
from ragcrawler.config.reader import SettingsReader
from ragcrawler.config.server import server_config
from ragcrawler.maintenance.doctor.finding import Finding


def _check_server(settings: Mapping[str, object]) -> None:
    server_config(settings, "127.0.0.1", 0)


def _check_research(settings: Mapping[str, object]) -> None:
    if _is_set(settings, "LLM_MODEL"):
        research_config(settings, Path())


# As the commands check them: a crawl, a shared one, one with search engines, a search, a server, a research.
_CHECKS: tuple[Check, ...] = (
    *CRAWL_CHECKS,
    SharingConfig.if_shared,
    SearchEnginesConfig.from_settings,
    search_options,
    reranker_name,
    language_model_config,
    _check_server,
    _check_research,
)


class Rule(NamedTuple):
    """What does not go together.

    Attributes:
        given: settings, any of which is set.
        lacks: settings of which one is not set, though all should be.
        message: says so.
        is_fatal: whether what was asked for cannot be done; else a setting has no effect.
        clashes: settings of which one is set, though none should be.
    """

    given: tuple[str, ...]
    lacks: tuple[str, ...]
    message: str
    is_fatal: bool = False
    clashes: tuple[str, ...] = ()


class Contradiction(NamedTuple):
    """A broken rule, and whether it is fatal."""

    text: str
    is_fatal: bool = False


_RULES = (
    Rule(("QDRANT_API_KEY", "QDRANT_CA_FILE"), ("QDRANT_URL",), "has no effect without QDRANT_URL"),
    Rule(("QDRANT_FOLDER",), (), "has no effect beside QDRANT_URL", clashes=("QDRANT_URL",)),
    Rule(("LLM_BASE_URL", "LLM_API_KEY"), ("LLM_MODEL",), "has no effect without LLM_MODEL"),
    Rule(("QUERY_EXPANSION", "SUMMARIZE"), ("LLM_MODEL",), "needs LLM_MODEL", is_fatal=True),
    Rule(("GOOGLE_SEARCH_API_KEY",), ("GOOGLE_SEARCH_ENGINE_ID",), "needs GOOGLE_SEARCH_ENGINE_ID"),
    Rule(("GOOGLE_SEARCH_ENGINE_ID",), ("GOOGLE_SEARCH_API_KEY",), "needs GOOGLE_SEARCH_API_KEY"),
    Rule(("SEARXNG_ENGINES",), ("SEARXNG_URL",), "has no effect without SEARXNG_URL"),
    Rule(("SERVER_HOSTS",), ("SERVER_TOKEN",), "is for others, who need SERVER_TOKEN"),
    Rule(("HF_ENDPOINT",), (), "is not asked with HF_HUB_OFFLINE", clashes=("HF_HUB_OFFLINE",)),
    Rule(("SUMMARY_EMBED", "SUMMARY_KNOWLEDGE_BASE"), ("SUMMARIZE",), "has no effect without SUMMARIZE"),
    Rule(
        ("PROXY",),
        (),
        "does not go with other proxies",
        is_fatal=True,
        clashes=("ROTATING_PROXY_LIST", "ROTATING_PROXY_LIST_PATH"),
    ),
)
_NO = {"", "0", "false", "no", "off", "none"}


def settings_agree(settings: Mapping[str, object], seconds: float) -> Finding:  # noqa: ARG001 - all probes have one shape
    """Whether every setting is valid, and none contradicts another."""
    errors = list(dict.fromkeys(refusals(settings, _CHECKS)))
    found = list(contradictions(settings))
    fatal = [*errors, *(each.text for each in found if each.is_fatal)]
    harmless = [each.text for each in found if not each.is_fatal]
    if fatal or harmless:
        texts = "; ".join((*fatal, *harmless))
        return Finding("failed" if fatal else "warning", texts, "set them right: docs/settings.md")
    return Finding("ok", "valid, and none contradicts another")


def contradictions(settings: Mapping[str, object]) -> Iterator[Contradiction]:
    """Each rule that is broken, with the settings that break it; no value is shown."""
    for rule in _RULES:
        given = [name for name in rule.given if _is_set(settings, name)]
        is_lacking = any(not _is_set(settings, name) for name in rule.lacks)
        is_clashing = any(_is_set(settings, name) for name in rule.clashes)
        if given and (is_lacking or is_clashing):
            yield Contradiction(f"{' and '.join(given)} {rule.message}", rule.is_fatal)
    yield from _others(settings)


def _others(settings: Mapping[str, object]) -> Iterator[Contradiction]:
    """Those that depend on a value."""
    read = SettingsReader(settings)
    if read.text("RERANKER") == "llm" and not _is_set(settings, "LLM_MODEL"):
        yield Contradiction("RERANKER=llm needs LLM_MODEL", is_fatal=True)
    remote = [name for name in ("EMBEDDING_URL", "EMBEDDING_API_KEY") if _is_set(settings, name)]
    if remote and read.text("EMBEDDING_PROVIDER") == "local":
        yield Contradiction(f"{' and '.join(remote)} has no effect with EMBEDDING_PROVIDER=local")


def _is_set(settings: Mapping[str, object], name: str) -> bool:
    return str(settings.get(name) or "").lower() not in _NO

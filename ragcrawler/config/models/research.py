"""How researches read pages, and where they remember what they found."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ragcrawler.config.errors import SettingError
from ragcrawler.config.models.language_model import caller_config, language_model_config
from ragcrawler.config.postgres import postgres_address
from ragcrawler.config.reader import SettingsReader
from ragcrawler.llm.calls.budget import CallBudget, CallerConfig
from ragcrawler.llm.config import LanguageModelConfig
from ragcrawler.postgres.address import PostgresAddress
from ragcrawler.research.reading.reader import ReadingConfig


@dataclass(frozen=True, slots=True)
class ResearchConfig:
    """A research's parts.

    Attributes:
        model: that reads pages.
        calls: how it is asked.
        ledger_path: of the ledger of calls.
        reading: how pages are read.
        concurrency: pages that are fetched and read at once.
        postgres: the database; None for a server of our own.
        server_folder: of that.
    """

    model: LanguageModelConfig
    calls: CallerConfig
    ledger_path: Path
    reading: ReadingConfig
    concurrency: int
    postgres: PostgresAddress | None
    server_folder: Path


def ledger_path(settings: Mapping[str, object], output: Path) -> Path:
    """The file of the ledger of calls.

    Args:
        settings: of the project.
        output: the folder of all results.
    """
    return SettingsReader(settings).folder("LLM_LEDGER_PATH", output / "llm_calls.sqlite")


def research_config(
    settings: Mapping[str, object], output: Path, *, tokens: int = 0, dollars: float = 0.0
) -> ResearchConfig:
    """How a research works.

    Args:
        settings: of the project.
        output: the folder of all results.
        tokens: budget of the research, 0 for none.
        dollars: likewise.

    Raises:
        SettingError: a setting of it is invalid, or no language model is named.
    """
    read = SettingsReader(settings)
    model = language_model_config(settings)
    if not model.model:
        raise SettingError("LLM_MODEL", "", "a language model, which reads the pages; see docs/research.md")
    reading = ReadingConfig(
        part_characters=read.integer("RESEARCH_PART_CHARACTERS", minimum=1_000),
        max_parts=read.integer("RESEARCH_MAX_PARTS", minimum=1),
        output_tokens=read.integer("RESEARCH_OUTPUT_TOKENS", minimum=256),
    )
    return ResearchConfig(
        model=replace(
            model, max_output_tokens=reading.output_tokens, max_output_setting="RESEARCH_OUTPUT_TOKENS"
        ),
        calls=caller_config(settings, CallBudget(tokens=tokens, dollars=dollars, setting="RESEARCH_BUDGET")),
        ledger_path=ledger_path(settings, output),
        reading=reading,
        concurrency=read.integer("RESEARCH_CONCURRENCY", minimum=1),
        postgres=postgres_address(settings),
        server_folder=output / "postgres",
    )

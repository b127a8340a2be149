"""How passages are summarised (specification 003)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from ragcrawler.config.errors import SettingError
from ragcrawler.config.models.language_model import caller_config, language_model_config
from ragcrawler.config.reader import SettingsReader
from ragcrawler.llm.calls.budget import CallBudget, CallerConfig
from ragcrawler.llm.config import LanguageModelConfig

_BUDGET = "SUMMARY_BUDGET"
_LONGEST_KNOWLEDGE_BASE = 4_000
_SENTENCES = re.compile(r"[1-9]\d?(-[1-9]\d?)?")


@dataclass(frozen=True, slots=True)
class SummaryWording:
    """The parts of the prompt beside the passage.

    Attributes:
        sentences: how many a summary should have, "2-3" for example.
        max_tokens: bound of a summary.
        knowledge_base: what the pages are about; "" says nothing.
        document_characters: of the page's beginning, sent with each of its passages; 0 for none.
    """

    sentences: str = "2-3"
    max_tokens: int = 150
    knowledge_base: str = ""
    document_characters: int = 16_000


@dataclass(frozen=True, slots=True)
class SummariesConfig:
    """Summaries, switched on.

    Attributes:
        model: that writes them.
        calls: how it is asked.
        ledger_path: of the ledger of calls.
        wording: of the prompt.
        is_embedded: whether a summary is embedded with its passage.
        batch_price_factor: price of a call in a batch, as a part of its price by itself.
    """

    model: LanguageModelConfig
    calls: CallerConfig
    ledger_path: Path
    wording: SummaryWording
    is_embedded: bool
    batch_price_factor: float = 0.5

    @property
    def fingerprint(self) -> str:
        """Of what a summary follows from: with another one pages are summarised anew."""
        parts = (self.model.model, repr(self.wording), str(self.is_embedded))
        return sha256("\0".join(parts).encode()).hexdigest()


def summaries_config(
    settings: Mapping[str, object], output: Path, *, is_asked_for: bool = False
) -> SummariesConfig | None:
    """How passages are summarised; None where they are not.

    Args:
        settings: of the project.
        output: the folder of all files.
        is_asked_for: whether somebody wants them now, SUMMARIZE or not.

    Raises:
        SettingError: one of its settings is invalid, or no language model is named.
    """
    read = SettingsReader(settings)
    wording = SummaryWording(
        sentences=_sentences(read),
        max_tokens=read.integer("SUMMARY_MAX_TOKENS", minimum=16),
        knowledge_base=_knowledge_base(read),
        document_characters=read.integer("SUMMARY_DOCUMENT_CHARACTERS"),
    )
    budget = CallBudget(
        calls=read.integer(f"{_BUDGET}_CALLS"),
        tokens=read.integer(f"{_BUDGET}_TOKENS"),
        dollars=read.amount(f"{_BUDGET}_USD"),
        setting=_BUDGET,
    )
    calls, model = caller_config(settings, budget), language_model_config(settings)
    is_embedded = read.flag("SUMMARY_EMBED")
    batch_price_factor = read.amount("LLM_BATCH_PRICE_FACTOR")
    if not read.flag("SUMMARIZE") and not is_asked_for:
        return None
    if not model.model:
        why = "it writes the summaries" if is_asked_for else "SUMMARIZE is on"
        raise SettingError("LLM_MODEL", "", f"a language model, for {why}; see docs/summaries.md")
    return SummariesConfig(
        model=replace(model, max_output_tokens=wording.max_tokens, max_output_setting="SUMMARY_MAX_TOKENS"),
        calls=calls,
        ledger_path=read.folder("LLM_LEDGER_PATH", output / "llm_calls.sqlite"),
        wording=wording,
        is_embedded=is_embedded,
        batch_price_factor=batch_price_factor,
    )


def _sentences(read: SettingsReader) -> str:
    sentences = read.text("SUMMARY_SENTENCES")
    if not _SENTENCES.fullmatch(sentences):
        raise SettingError("SUMMARY_SENTENCES", sentences, "a number or a range: 2-3, for example")
    return sentences


def _knowledge_base(read: SettingsReader) -> str:
    text = " ".join(read.text("SUMMARY_KNOWLEDGE_BASE").split())
    if len(text) > _LONGEST_KNOWLEDGE_BASE:
        said = f"at most {_LONGEST_KNOWLEDGE_BASE} characters"
        raise SettingError("SUMMARY_KNOWLEDGE_BASE", f"{text[:60]}... ({len(text)} characters)", said)
    return text

"""The settings of searches."""

import math
from collections.abc import Mapping

from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import SettingsReader
from ragcrawler.retrieval.search.search_options import HYBRID_PARTS, LEGS, HybridPart, SearchOptions


def search_options(settings: Mapping[str, object]) -> SearchOptions:
    """The options of a search that is given none.

    Raises:
        SettingError: a setting is invalid.
    """
    read = SettingsReader(settings)
    return SearchOptions(
        weights=_weights(read, "HYBRID_WEIGHTS"),
        question_weights=_weights(read, "QUESTION_WEIGHTS") if read.text("QUESTION_WEIGHTS") else None,
        fusion=read.choice("HYBRID_FUSION", ("rrf", "dbsf")),  # type: ignore[arg-type]  # checked by choice
        k_rrf=read.integer("HYBRID_RRF_K"),
        model_seconds=read.number("RERANK_TIMEOUT_SECONDS"),
    )


def reranker_name(settings: Mapping[str, object]) -> str:
    """The reranker that the settings name, "" for none.

    Raises:
        SettingError: there is no such reranker.
    """
    return SettingsReader(settings).choice("RERANKER", ("", "llm", "cross-encoder"))


def _weights(read: SettingsReader, name: str) -> dict[HybridPart, float]:
    return hybrid_weights(read.text(name), name)


def hybrid_weights(written: str, name: str = "HYBRID_WEIGHTS") -> dict[HybridPart, float]:
    """Parse weights such as "dense=1,bm25=0.5,document=0.7".

    Args:
        written: as it was given.
        name: of the setting, for the error.

    Raises:
        SettingError: it says something else, or leaves no ranking.
    """
    weights: dict[HybridPart, float] = {}
    for part in written.split(","):
        leg, _, weight = (each.strip() for each in part.partition("="))
        try:
            number = float(weight)
        except ValueError:
            number = math.nan
        if leg not in HYBRID_PARTS or leg in weights or not 0 <= number < math.inf:
            raise _wrong_weights(name, written)
        weights[leg] = number
    if not any(weights.get(leg) for leg in LEGS):
        raise _wrong_weights(name, written)
    return weights


def _wrong_weights(name: str, written: str) -> SettingError:
    return SettingError(
        name,
        written,
        f"weights of {', '.join(HYBRID_PARTS)}, one of the first three over 0: dense=1,bm25=0.5 say",
    )

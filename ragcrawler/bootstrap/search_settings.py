"""How questions are searched and reranked, as the settings say."""

import math
from collections.abc import Mapping
from typing import get_args

from ragcrawler.config.errors import SettingError
from ragcrawler.config.language_model import language_model_config
from ragcrawler.config.reader import SettingsReader
from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.llm import open_language_model
from ragcrawler.retrieval.reranking.cross_encoder import CrossEncoderConfig, CrossEncoderReranker
from ragcrawler.retrieval.reranking.rerank import Reranker
from ragcrawler.retrieval.search.expansion import Expander
from ragcrawler.retrieval.search.search_options import HybridPart, SearchOptions
from ragcrawler.stores.search_request import Leg

_PARTS = (*get_args(Leg), "document")


def search_options(settings: Mapping[str, object]) -> SearchOptions:
    """The options of a search that is given none.

    Raises:
        SettingError: a setting is invalid.
    """
    read = SettingsReader(settings)
    return SearchOptions(
        weights=hybrid_weights(read.text("HYBRID_WEIGHTS")),
        fusion=read.choice("HYBRID_FUSION", ("rrf", "dbsf")),  # type: ignore[arg-type]  # checked by choice
        k_rrf=read.integer("HYBRID_RRF_K"),
        model_seconds=read.number("RERANK_TIMEOUT_SECONDS"),
    )


def hybrid_weights(written: str) -> dict[HybridPart, float]:
    """Parse weights such as "dense=1,bm25=0.5,document=0.7".

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
        if leg not in _PARTS or leg in weights or not 0 <= number < math.inf:
            raise _wrong_weights(written)
        weights[leg] = number  # type: ignore[index]  # one of the parts, just checked
    if not any(weight for part, weight in weights.items() if part != "document"):
        raise _wrong_weights(written)
    return weights


def open_reranker(settings: Mapping[str, object], embedding: EmbeddingConfig) -> Reranker | None:
    """The reranker that the settings name; what it needs is loaded or asked at the first question.

    Raises:
        SettingError: there is no such reranker.
        LanguageModelError: it wants a language model, and none is configured.
    """
    read = SettingsReader(settings)
    kind = read.choice("RERANKER", ("", "llm", "cross-encoder"))
    if kind == "llm":
        from ragcrawler.retrieval.reranking.rerank_by_model import ModelReranker

        return ModelReranker(open_language_model(language_model_config(settings)))
    if kind == "cross-encoder":
        return CrossEncoderReranker(
            CrossEncoderConfig(
                model=read.text("CROSS_ENCODER_MODEL"),
                cache_dir=embedding.hub_cache_dirs[0],
                offline=embedding.offline,
                threads=embedding.threads,
                seconds=read.number("RERANK_TIMEOUT_SECONDS"),
            )
        )
    return None


def open_expander(settings: Mapping[str, object]) -> Expander | None:
    """Open the query expander, None where the settings do not ask for it.

    Raises:
        SettingError: the setting is neither yes nor no.
        LanguageModelError: no language model is configured.
    """
    if not SettingsReader(settings).flag("QUERY_EXPANSION"):
        return None
    from ragcrawler.retrieval.search.expand_by_model import ModelExpander

    return ModelExpander(open_language_model(language_model_config(settings)))


def _wrong_weights(written: str) -> SettingError:
    return SettingError(
        "HYBRID_WEIGHTS",
        written,
        "weights of dense, sparse, bm25 and document, one of the first three over 0: dense=1,bm25=0.5 say",
    )

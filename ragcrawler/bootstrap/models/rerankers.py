"""Open the reranker and the query expander that the settings name."""

from collections.abc import Mapping

from ragcrawler.config.models.language_model import language_model_config
from ragcrawler.config.models.search import reranker_name
from ragcrawler.config.reader import SettingsReader
from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.llm.open import open_language_model
from ragcrawler.retrieval.reranking.cross_encoder import CrossEncoderConfig, CrossEncoderReranker
from ragcrawler.retrieval.reranking.rerank import Reranker
from ragcrawler.retrieval.search.expansion import Expander


def open_reranker(settings: Mapping[str, object], embedding: EmbeddingConfig) -> Reranker | None:
    """The reranker that the settings name; what it needs is loaded or asked at the first question.

    Raises:
        SettingError: there is no such reranker.
        LanguageModelError: it wants a language model, and none is configured.
    """
    read, kind = SettingsReader(settings), reranker_name(settings)
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

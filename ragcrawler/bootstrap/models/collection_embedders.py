"""The embedders of a collection, and what follows from them."""

import logging
from dataclasses import replace
from functools import partial

from ragcrawler.bootstrap.chunk_counter import checked_tokenizer
from ragcrawler.bootstrap.preparation import OpenSimilarity, Preparation
from ragcrawler.chunking import TokenizerCounter
from ragcrawler.chunking.output.identity import CHUNKER_VERSION
from ragcrawler.config.configuration import Configuration
from ragcrawler.embedding.cache.vector_cache import VectorCache
from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.embedders import Embedders, open_embedders
from ragcrawler.embedding.families.bundled import BundledFamily
from ragcrawler.embedding.model_registry import family_of
from ragcrawler.embedding.protocol import DenseEmbedder, ModelDescription
from ragcrawler.embedding.selection import select_models
from ragcrawler.embedding.tokens.token_bytes import TOKENS_VERSION
from ragcrawler.stores import CollectionModels

_logger = logging.getLogger(__name__)


def open_collection_embedders(
    configuration: Configuration, remembered: CollectionModels | None, cache: VectorCache | None = None
) -> Embedders:
    """Select and load the models; an existing collection decides by what it remembers.

    Args:
        configuration: names the models, and says how they run.
        remembered: the models of an existing collection.
        cache: keeps the vectors of texts; without it each is made anew.

    Raises:
        EmbeddingError: a model is not available, or differs from the collection's.
    """
    selection = select_models(
        configuration.dense_model,
        configuration.sparse_model,
        (remembered.dense, remembered.sparse) if remembered else None,
        configuration.embedding,
    )
    if remembered and configuration.embedding.remote:
        # A service is not asked for what is known: a crawl of what did not change makes no call.
        dense = replace(selection.dense, dimensions=remembered.dense_dimensions)
        selection = replace(selection, dense=dense)
    wanted = _wants_tokens(selection.dense.name, configuration, remembered)
    embedders = open_embedders(selection, replace(configuration.embedding, token_vectors=wanted), cache)
    if configuration.embedding.token_vectors and not embedders.has_tokens:
        _logger.warning("%s", _why_no_tokens(selection.dense.name, remembered))
    return embedders


def _wants_tokens(model: str, configuration: Configuration, remembered: CollectionModels | None) -> bool:
    """A collection that is there has token vectors or not; the settings say whether a new one shall.

    Where they say nothing, it shall if its model is a bundled one: of others that is not shown to help.
    """
    if remembered is not None:
        return bool(remembered.tokens)
    said = configuration.embedding.token_vectors
    return isinstance(family_of(model), BundledFamily) if said is None else said


def _why_no_tokens(model: str, remembered: CollectionModels | None) -> str:
    if remembered is not None and not remembered.tokens:
        return "The collection has no token vectors: TOKEN_VECTORS is for new collections"
    return f"No token vectors are kept: {model} gives none that are known to help"


def collection_models(embedders: Embedders) -> CollectionModels:
    """The models that a collection filled with these embedders remembers."""
    dense, sparse = embedders.dense.description, embedders.sparse.description
    return CollectionModels(
        dense=dense.name,
        dense_dimensions=dense.dimensions,
        sparse=sparse.name,
        dense_fingerprint=dense.fingerprint,
        sparse_fingerprint=sparse.fingerprint,
        chunker=CHUNKER_VERSION,
        tokens=TOKENS_VERSION if embedders.has_tokens else "",
    )


def embedding_counter(embedders: Embedders) -> TokenizerCounter:
    """Counts as the dense model does, up to what both models read."""
    special = embedders.dense.description.special_tokens
    return TokenizerCounter(embedders.tokenizer, limit_tokens=embedders.limit_tokens + special)


def preparation_for(embedders: Embedders, configuration: Configuration) -> Preparation:
    """The call that converts and chunks, with sizes for these models.

    Raises:
        SettingError: the sizes that were set do not fit the models, or nothing counts tokens.
        EmbeddingError: the tokenizer that was set is not available.
    """
    limit = embedders.limit_tokens
    chunking = replace(configuration.chunking, model=embedders.name)
    return Preparation(
        limits=configuration.conversion,
        chunking=configuration.chunk_sizes.config(limit, chunking),
        tokenizer=embedders.tokenizer,
        limit_tokens=limit + embedders.dense.description.special_tokens,
        similarity=_similarity(embedders, configuration),
        near_words=configuration.duplicates.min_words if configuration.duplicates.similarity else 0,
        counter=checked_tokenizer(configuration.chunk_tokenizer, configuration.embedding),
    )


def _similarity(embedders: Embedders, configuration: Configuration) -> OpenSimilarity | None:
    if configuration.chunking.strategy != "semantic":
        return None
    return partial(open_dense, embedders.selection.dense, configuration.embedding)


def open_dense(description: ModelDescription, config: EmbeddingConfig) -> DenseEmbedder:
    """Load the dense model alone; a worker calls it, so it has to be found by name."""
    return family_of(description.name).open_dense(description, config)

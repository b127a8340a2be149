"""The setup of `scrapy chunk`: a token counter and a configuration, from options and settings."""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ragcrawler.bootstrap.chunk_counter import checked_tokenizer, local_tokenizer
from ragcrawler.chunking import (
    ChunkingConfig,
    SentenceEmbedder,
    TokenCounter,
    TokenizerCounter,
    chunk_markdown,
    open_counter,
)
from ragcrawler.chunking.sizing.sizes import with_sizes
from ragcrawler.config.configuration import Configuration
from ragcrawler.config.models.chunking import ChunkSizes
from ragcrawler.items import SemanticChunk
from ragcrawler.stores import CollectionModels


@dataclass(frozen=True, slots=True)
class ChunkSetup:
    """Everything but the document."""

    tokens: TokenCounter
    config: ChunkingConfig
    url: str = ""
    similarity: SentenceEmbedder | None = None

    def chunks(self, markdown: str, name: str) -> list[SemanticChunk]:
        """The chunks of a document, `name` being its id."""
        return chunk_markdown(
            markdown,
            config=self.config,
            tokens=self.tokens,
            document_id=name,
            url=self.url,
            similarity=self.similarity,
        )


def open_setup(settings: Mapping[str, object], opts: argparse.Namespace) -> ChunkSetup:
    """The counter of the tokenizer that is named, else of the configured model; sizes from the options.

    Raises:
        FileNotFoundError: there is no such tokenizer.
        ValueError: the options contradict each other.
        EmbeddingError: the configured model, or the tokenizer of a model at the hub, is not available.
    """
    from ragcrawler.config.defaults import project_settings
    from ragcrawler.embedding.embedders import open_embedders
    from ragcrawler.embedding.model_registry import tokenizer_path
    from ragcrawler.embedding.selection import select_models

    # Outside of a project Scrapy knows its own settings alone.
    configuration = Configuration.from_settings({**project_settings(), **settings})
    base = replace(
        configuration.chunking,
        strategy=opts.strategy or configuration.chunking.strategy,
        code_policy=opts.code_policy or configuration.chunking.code_policy,
    )
    similarity = None
    tokenizer, limit = opts.tokenizer or configuration.chunk_tokenizer or None, opts.limit_tokens
    if tokenizer is not None:
        limit = limit or _known_limit(tokenizer)
        tokenizer = local_tokenizer(tokenizer, configuration.embedding)
    if tokenizer is None or base.strategy == "semantic":
        selection = select_models(
            configuration.dense_model, configuration.sparse_model, None, configuration.embedding
        )
        if base.strategy == "semantic":
            similarity = open_embedders(selection, configuration.embedding).dense
        if tokenizer is None:
            tokenizer = str(tokenizer_path(selection.dense, configuration.embedding))
            limit = limit or selection.limit_tokens + selection.dense.special_tokens
    # A size that the model does not take is cut as asked: nothing is embedded here.
    tokens = open_counter(tokenizer, limit_tokens=limit, at_least=opts.max_tokens or opts.target_tokens or 0)
    config = _with_sizes(base, tokens.limit, configuration.chunk_sizes, opts)
    return ChunkSetup(tokens, config, opts.url, similarity)


def setup_of(configuration: Configuration, remembered: CollectionModels | None) -> ChunkSetup:
    """The setup of a crawl into a collection that remembers these models; else of the configured ones.

    Raises:
        SettingError: the sizes that were set do not fit the models.
        EmbeddingError: a model is not available.
    """
    from ragcrawler.embedding.embedders import open_embedders
    from ragcrawler.embedding.model_registry import tokenizer_path
    from ragcrawler.embedding.selection import select_models

    known = (remembered.dense, remembered.sparse) if remembered else None
    selection = select_models(
        configuration.dense_model, configuration.sparse_model, known, configuration.embedding
    )
    limit = selection.limit_tokens
    config = configuration.chunk_sizes.config(limit, configuration.chunking)
    path = tokenizer_path(selection.dense, configuration.embedding)
    tokens: TokenCounter = TokenizerCounter(path, limit_tokens=limit + selection.dense.special_tokens)
    if counter := checked_tokenizer(configuration.chunk_tokenizer, configuration.embedding):
        tokens = open_counter(counter, at_least=limit)
    is_semantic = config.strategy == "semantic"
    similarity = open_embedders(selection, configuration.embedding).dense if is_semantic else None
    return ChunkSetup(tokens, config, similarity=similarity)


def _known_limit(tokenizer: str) -> int | None:
    """The limit of a model at the hub; None for another tokenizer, which may state it itself."""
    from ragcrawler.embedding.hub.tokenizers import hub_limit_tokens, is_hub_name

    return hub_limit_tokens(tokenizer) if is_hub_name(tokenizer) else None


def _with_sizes(
    base: ChunkingConfig, limit: int, sizes: ChunkSizes, opts: argparse.Namespace
) -> ChunkingConfig:
    """The sizes of the options; without any, those that a crawl would take."""
    given = (opts.target_tokens, opts.max_tokens, opts.min_tokens, opts.overlap_tokens)
    if all(size is None for size in given):
        return sizes.config(limit, base)
    target, longest, least, overlap = given
    return with_sizes(
        base, limit, target_tokens=target, max_tokens=longest, min_tokens=least, overlap_tokens=overlap
    )

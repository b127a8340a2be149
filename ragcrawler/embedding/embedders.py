"""The pair of embedders that a collection is filled and searched with."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ragcrawler.embedding.cache.cached_embedder import CachedEmbedder
from ragcrawler.embedding.cache.vector_cache import NoVectorCache, VectorCache
from ragcrawler.embedding.cache.vector_codec import DenseCodec, DenseWithTokensCodec, SparseCodec
from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.inference.fastembed_dense import FastembedTokens
from ragcrawler.embedding.model_registry import family_of
from ragcrawler.embedding.protocol import DenseEmbedder, DenseVector
from ragcrawler.embedding.selection import ModelSelection
from ragcrawler.embedding.tokens.token_bytes import TOKENS_VERSION
from ragcrawler.items import SemanticChunk, SparseVector, Vectors, tokens_of


@dataclass(frozen=True, slots=True)
class Embedders:
    """Both embedders, loaded, before the cache that they share; threads may share them.

    Attributes:
        dense: makes the dense vectors.
        sparse: makes the sparse vectors.
        cache: keeps the vectors of texts; it belongs to whoever opened it.
        selection: the models as they were chosen.
        tokenizer: the `tokenizer.json` of the dense model, with which chunks are measured.
        has_tokens: whether dense vectors bring those of their texts' tokens.
    """

    dense: CachedEmbedder[DenseVector]
    sparse: CachedEmbedder[SparseVector]
    cache: VectorCache
    selection: ModelSelection
    tokenizer: Path
    has_tokens: bool = False

    @property
    def name(self) -> str:
        """Both models in one word, as it goes into every `embed_hash`."""
        return f"{self.dense.description.name}+{self.sparse.description.name}"

    @property
    def limit_tokens(self) -> int:
        """The longest text that both read whole, special tokens already taken off."""
        return ModelSelection(self.dense.description, self.sparse.description).limit_tokens

    def embed(self, chunks: Sequence[SemanticChunk]) -> list[Vectors]:
        """The vectors of some chunks, in their order; of the cache where it has them.

        Raises:
            EmbeddingError: a model failed.
        """
        texts = [chunk.embed_text for chunk in chunks]
        pairs = zip(self.dense.embed_documents(texts), self.sparse.embed_documents(texts), strict=True)
        return [Vectors(dense, sparse, tokens_of(dense)) for dense, sparse in pairs]

    def close(self) -> None:
        """Close the models; calls that still wait for a remote one fail at once."""
        self.dense.close()
        self.sparse.close()


def open_embedders(
    selection: ModelSelection, config: EmbeddingConfig, cache: VectorCache | None = None
) -> Embedders:
    """Load both models; takes seconds, and a download where one is not cached.

    Args:
        selection: the models.
        config: where they lie and how they run.
        cache: keeps the vectors of texts; without it each is made anew.

    Raises:
        EmbeddingError: a model is not available or does not load.
    """
    cache = cache or NoVectorCache()
    dense_family = family_of(selection.dense.name)
    dense = dense_family.open_dense(selection.dense, config)
    sparse = family_of(selection.sparse.name).open_sparse(selection.sparse, config)
    has_tokens = isinstance(dense, FastembedTokens)
    return Embedders(
        dense=_cached_with_tokens(dense, cache) if has_tokens else _cached(dense, cache),
        sparse=CachedEmbedder(sparse, cache, SparseCodec()),
        cache=cache,
        selection=selection,
        tokenizer=dense_family.tokenizer(selection.dense, config),
        has_tokens=has_tokens,
    )


def _cached(dense: DenseEmbedder, cache: VectorCache) -> CachedEmbedder[DenseVector]:
    return CachedEmbedder(dense, cache, DenseCodec(dense.description.dimensions))


def _cached_with_tokens(dense: DenseEmbedder, cache: VectorCache) -> CachedEmbedder[DenseVector]:
    """Entries of their own: one without tokens would have to be made again."""
    return CachedEmbedder(dense, cache, DenseWithTokensCodec(dense.description.dimensions), TOKENS_VERSION)

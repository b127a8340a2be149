"""The models of a collection, loaded."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from ragcrawler.bootstrap.preparation import OpenSimilarity, Preparation
from ragcrawler.chunking.output.identity import CHUNKER_VERSION
from ragcrawler.config.configuration import Configuration
from ragcrawler.embedding.cache.cached_embedder import CachedEmbedder
from ragcrawler.embedding.cache.vector_cache import NoVectorCache, VectorCache
from ragcrawler.embedding.cache.vector_codec import DenseCodec, SparseCodec
from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.embedders import Embedders, open_embedders
from ragcrawler.embedding.model_registry import family_of
from ragcrawler.embedding.protocol import DenseEmbedder, DenseVector, ModelDescription
from ragcrawler.embedding.selection import Selection, select_models
from ragcrawler.items import SemanticChunk, SparseVector, Vectors
from ragcrawler.stores import CollectionModels


@dataclass(frozen=True, slots=True)
class Models:
    """Both embedders, what the collection remembers of them, and how they were chosen.

    Attributes:
        embedders: both, as they were loaded.
        remembered: what the collection remembers.
        selection: how they were chosen.
        cache: where vectors of texts are kept.
        dense: the dense one behind the cache.
        sparse: the sparse one behind the cache.
    """

    embedders: Embedders
    remembered: CollectionModels
    selection: Selection
    cache: VectorCache
    dense: CachedEmbedder[DenseVector] = field(init=False)
    sparse: CachedEmbedder[SparseVector] = field(init=False)

    def __post_init__(self) -> None:
        dense, sparse = self.embedders.dense, self.embedders.sparse
        codec = DenseCodec(dense.description.dimensions)
        object.__setattr__(self, "dense", CachedEmbedder(dense, self.cache, codec))
        object.__setattr__(self, "sparse", CachedEmbedder(sparse, self.cache, SparseCodec()))

    def embed(self, chunks: Sequence[SemanticChunk]) -> list[Vectors]:
        """The vectors of some chunks, in their order; of the cache where it has them."""
        texts = [chunk.embed_text for chunk in chunks]
        dense, sparse = self.dense.embed_documents(texts), self.sparse.embed_documents(texts)
        return [Vectors(*pair) for pair in zip(dense, sparse, strict=True)]

    @property
    def name(self) -> str:
        """Both models in one word, as it goes into every `embed_hash`."""
        return f"{self.remembered.dense}+{self.remembered.sparse}"

    def preparation(self, configuration: Configuration) -> Preparation:
        """The call that converts and chunks, with sizes for these models.

        Raises:
            SettingError: the sizes that were set do not fit the models.
        """
        limit = self.embedders.limit_tokens
        chunking = replace(configuration.chunking, model=self.name)
        return Preparation(
            limits=configuration.conversion,
            chunking=configuration.chunk_sizes.config(limit, chunking),
            tokenizer=self.embedders.tokenizer,
            limit_tokens=limit + self.embedders.dense.description.special_tokens,
            similarity=self._similarity(configuration),
            near_words=configuration.duplicates.min_words if configuration.duplicates.similarity else 0,
        )

    def _similarity(self, configuration: Configuration) -> OpenSimilarity | None:
        if configuration.chunking.strategy != "semantic":
            return None
        return partial(open_dense, self.selection.dense, configuration.embedding)


def open_dense(description: ModelDescription, config: EmbeddingConfig) -> DenseEmbedder:
    """Load the dense model alone; a worker calls it, so it has to be found by name."""
    return family_of(description.name).open_dense(description, config)


def open_models(
    configuration: Configuration, remembered: CollectionModels | None, cache: VectorCache | None = None
) -> Models:
    """Select and load the models; an existing collection decides by what it remembers.

    Args:
        configuration: names the models, and says how they run.
        remembered: the models of an existing collection.
        cache: where vectors of texts are kept; without it each is made anew.

    Raises:
        EmbeddingError: a model is not available, or differs from the collection's.
    """
    selection = select_models(
        configuration.dense_model,
        configuration.sparse_model,
        (remembered.dense, remembered.sparse) if remembered else None,
        configuration.embedding,
    )
    embedders = open_embedders(selection, configuration.embedding)
    dense, sparse = embedders.dense.description, embedders.sparse.description
    return Models(
        embedders=embedders,
        cache=cache or NoVectorCache(),
        selection=selection,
        remembered=CollectionModels(
            dense=dense.name,
            dense_dimensions=dense.dimensions,
            sparse=sparse.name,
            dense_fingerprint=dense.fingerprint,
            sparse_fingerprint=sparse.fingerprint,
            chunker=CHUNKER_VERSION,
        ),
    )

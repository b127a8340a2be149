"""The pair of embedders that a collection is filled and searched with."""

from dataclasses import dataclass
from pathlib import Path

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.model_registry import family_of
from ragcrawler.embedding.protocol import DenseEmbedder, SparseEmbedder
from ragcrawler.embedding.selection import Selection


@dataclass(frozen=True, slots=True)
class Embedders:
    """Both embedders, loaded; one executor owns them.

    Attributes:
        dense: makes the dense vectors.
        sparse: makes the sparse vectors.
        tokenizer: the `tokenizer.json` of the dense model, with which chunks are measured.
        limit_tokens: the longest text that both read whole, special tokens already taken off.
    """

    dense: DenseEmbedder
    sparse: SparseEmbedder
    tokenizer: Path
    limit_tokens: int


def open_embedders(selection: Selection, config: EmbeddingConfig) -> Embedders:
    """Load both models; takes seconds, and a download where one is not cached.

    Raises:
        EmbeddingError: a model is not available or does not load.
    """
    dense_family = family_of(selection.dense.name)
    dense = dense_family.open_dense(selection.dense, config)
    sparse = family_of(selection.sparse.name).open_sparse(selection.sparse, config)
    loaded = Selection(dense.description, sparse.description)
    return Embedders(dense, sparse, dense_family.tokenizer(selection.dense, config), loaded.limit_tokens)

"""The embedded engine's requests, made from ours."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ragcrawler.items import SemanticChunk, SparseVector, Vectors
from ragcrawler.stores.payload import chunk_payload
from ragcrawler.stores.protocol import CollectionModels
from ragcrawler.stores.ranking.word_weights import document_weights

if TYPE_CHECKING:
    import qdrant_edge as edge


def edge_point(chunk: SemanticChunk, vectors: Vectors, models: CollectionModels) -> "edge.Point":
    """The point of a chunk, with its words' weights and its token vectors where the collection has them."""
    import qdrant_edge as edge

    named: dict[str, Any] = {"dense": vectors.dense, "sparse": edge_sparse(vectors.sparse)}
    if models.words:
        named["bm25"] = edge_sparse(document_weights(chunk.embed_text))
    if models.tokens and vectors.tokens:
        named["tokens"] = edge_tokens(vectors.tokens)
    return edge.Point(chunk.id, named, chunk_payload(chunk))


def edge_tokens(vectors: Sequence[bytes]) -> list[list[float]]:
    """Token vectors in the engine's own type."""
    import numpy as np

    return [np.frombuffer(each, np.uint8).astype(np.float64).tolist() for each in vectors]


def edge_ids(ids: Sequence[str]) -> "list[edge.PointId]":
    """The ids in the engine's own type."""
    return list(ids)


def edge_sparse(vector: SparseVector) -> "edge.SparseVector":
    """The vector in the engine's own type."""
    import qdrant_edge as edge

    return edge.SparseVector(list(vector.indices), list(vector.values))

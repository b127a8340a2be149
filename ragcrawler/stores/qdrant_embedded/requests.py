"""The embedded engine's requests, made from ours."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ragcrawler.items import SemanticChunk, SparseVector, Vectors
from ragcrawler.stores.payload import chunk_payload
from ragcrawler.stores.ranking.word_weights import document_weights

if TYPE_CHECKING:
    import qdrant_edge as edge


def edge_point(chunk: SemanticChunk, vectors: Vectors, *, words: bool) -> "edge.Point":
    """The point of a chunk, with the weights of its words where the collection holds them."""
    import qdrant_edge as edge

    named: dict[str, Any] = {"dense": vectors.dense, "sparse": edge_sparse(vectors.sparse)}
    if words:
        named["bm25"] = edge_sparse(document_weights(chunk.embed_text))
    return edge.Point(chunk.id, named, chunk_payload(chunk))


def edge_ids(ids: Sequence[str]) -> "list[edge.PointId]":
    """The ids in the engine's own type."""
    return list(ids)


def edge_sparse(vector: SparseVector) -> "edge.SparseVector":
    """The vector in the engine's own type."""
    import qdrant_edge as edge

    return edge.SparseVector(list(vector.indices), list(vector.values))

"""The embedded engine's requests, made from ours."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ragcrawler.items import SemanticChunk, SparseVector, Vectors
from ragcrawler.stores.candidates import ENGINE_RRF_K, candidate_depth, requested
from ragcrawler.stores.payload import chunk_payload
from ragcrawler.stores.protocol import SearchMode, StoredPoint

if TYPE_CHECKING:
    import qdrant_edge as edge


def edge_point(chunk: SemanticChunk, vectors: Vectors) -> "edge.Point":
    """The point of a chunk."""
    import qdrant_edge as edge

    named = {"dense": vectors.dense, "sparse": _edge_sparse(vectors.sparse)}
    return edge.Point(chunk.id, named, chunk_payload(chunk))  # type: ignore[arg-type]


def stored_point(record: "edge.Record") -> StoredPoint:
    """A record that was read with payload and vectors."""
    named: Any = record.vector if isinstance(record.vector, dict) else {}
    sparse = named.get("sparse")
    return StoredPoint(
        id=str(record.id),
        payload=record.payload or {},
        dense=named.get("dense"),
        sparse=SparseVector(sparse.indices, sparse.values) if sparse else None,
    )


def edge_filter(conditions: Mapping[str, str | int]) -> "edge.Filter | None":
    """All of the conditions, None for none."""
    import qdrant_edge as edge

    if not conditions:
        return None
    return edge.Filter(
        must=[
            edge.FieldCondition(key=name, match=edge.MatchValue(value)) for name, value in conditions.items()
        ]
    )


def edge_query(
    query: Vectors, mode: SearchMode, limit: int, fitting: "edge.Filter | None"
) -> "edge.QueryRequest":
    """One request for the best chunks, a few more than `limit`."""
    import qdrant_edge as edge

    nearest = {
        "dense": edge.Query.Nearest(list(query.dense), using="dense"),
        "sparse": edge.Query.Nearest(_edge_sparse(query.sparse), using="sparse"),
    }
    if mode != "hybrid":
        return edge.QueryRequest(requested(limit), query=nearest[mode], filter=fitting, with_payload=True)
    depth = candidate_depth(limit)
    return edge.QueryRequest(
        requested(limit),
        query=edge.Fusion.Rrf(k=ENGINE_RRF_K),  # type: ignore[arg-type]  # a variant, not a subclass, in its stubs
        prefetches=[edge.Prefetch(depth, query=each, filter=fitting) for each in nearest.values()],
        with_payload=True,
    )


def edge_ids(ids: Sequence[str]) -> "list[edge.PointId]":
    """The ids in the engine's own type."""
    return list(ids)


def _edge_sparse(vector: SparseVector) -> "edge.SparseVector":
    import qdrant_edge as edge

    return edge.SparseVector(list(vector.indices), list(vector.values))

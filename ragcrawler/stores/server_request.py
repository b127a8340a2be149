"""A Qdrant server's requests, made from ours."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ragcrawler.items import SemanticChunk, SparseVector, Vectors
from ragcrawler.stores.candidates import ENGINE_RRF_K, candidate_depth, requested
from ragcrawler.stores.payload import chunk_payload
from ragcrawler.stores.protocol import SearchMode, StoredPoint

if TYPE_CHECKING:
    from qdrant_client import models


def server_point(chunk: SemanticChunk, vectors: Vectors) -> "models.PointStruct":
    """The point of a chunk."""
    from qdrant_client import models

    named: dict[str, Any] = {"dense": _floats(vectors.dense)}
    if len(vectors.sparse.indices):
        named["sparse"] = _server_sparse(vectors.sparse)
    return models.PointStruct(id=chunk.id, vector=named, payload=chunk_payload(chunk))


def stored_point(record: "models.Record") -> StoredPoint:
    """A record that was read with payload and vectors."""
    named: Any = record.vector if isinstance(record.vector, dict) else {}
    sparse = named.get("sparse")
    return StoredPoint(
        id=str(record.id),
        payload=record.payload or {},
        dense=named.get("dense"),
        sparse=SparseVector(sparse.indices, sparse.values) if sparse else None,
    )


def point_bytes(chunk: SemanticChunk) -> int:
    """An upper estimate of the point as JSON: text at four bytes a character, numbers at twenty digits."""
    numbers = len(chunk.vectors.dense) + 2 * len(chunk.vectors.sparse.indices) if chunk.vectors else 0
    text = len(chunk.content) + len(chunk.embed_text) + len(chunk.extra.full_text)
    return 4 * text + 20 * numbers


def payload_update(chunk: SemanticChunk) -> "models.OverwritePayloadOperation":
    """The replacement of a point's payload; its vectors stay."""
    from qdrant_client import models

    return models.OverwritePayloadOperation(
        overwrite_payload=models.SetPayload(payload=chunk_payload(chunk), points=[chunk.id])
    )


def server_filter(conditions: Mapping[str, str | int]) -> "models.Filter | None":
    """All of the conditions, None for none."""
    from qdrant_client import models

    if not conditions:
        return None
    must = [
        models.FieldCondition(key=name, match=models.MatchValue(value=value))
        for name, value in conditions.items()
    ]
    return models.Filter(must=list(must))


def server_query(
    query: Vectors, mode: SearchMode, limit: int, fitting: "models.Filter | None"
) -> dict[str, Any]:
    """The keywords of `query_points` for the best chunks, a few more than `limit`."""
    from qdrant_client import models

    common = {"limit": requested(limit), "with_payload": True}
    if mode == "dense":
        return {**common, "query": _floats(query.dense), "using": "dense", "query_filter": fitting}
    if mode == "sparse":
        return {**common, "query": _server_sparse(query.sparse), "using": "sparse", "query_filter": fitting}
    depth = candidate_depth(limit)
    dense = models.Prefetch(query=_floats(query.dense), using="dense", filter=fitting, limit=depth)
    sparse = models.Prefetch(query=_server_sparse(query.sparse), using="sparse", filter=fitting, limit=depth)
    return {
        **common,
        "query": models.RrfQuery(rrf=models.Rrf(k=ENGINE_RRF_K)),
        "prefetch": [dense, sparse] if len(query.sparse.indices) else [dense],
    }


def _server_sparse(vector: SparseVector) -> "models.SparseVector":
    from qdrant_client import models

    return models.SparseVector(
        indices=[int(index) for index in vector.indices], values=_floats(vector.values)
    )


def _floats(values: Any) -> list[float]:
    return [float(value) for value in values]

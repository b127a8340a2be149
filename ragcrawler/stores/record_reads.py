"""Reads that the Qdrant stores share: their records have the same fields, embedded and on a server."""

import struct
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

from ragcrawler.items import SemanticChunk, SparseVector
from ragcrawler.stores.filters import Condition, Filters, read_filters
from ragcrawler.stores.payload import chunk_from_payload
from ragcrawler.stores.protocol import StoredPoint


class RecordReads(ABC):
    """The part of a `ChunkStore` that reads records page by page; a store adds how they are fetched."""

    @abstractmethod
    def close(self) -> None: ...

    @abstractmethod
    def _scroll(
        self, conditions: Sequence[Condition], fields: list[str] | bool, *, with_vectors: bool
    ) -> Iterator[Any]: ...

    @abstractmethod
    def _retrieve(self, ids: Sequence[str]) -> Iterator[Any]:
        """Records with payload and vectors."""

    def embed_hashes(self, document_id: str) -> Mapping[str, str]:
        found = self._payloads(read_filters({"document_id": document_id}), ["id", "embed_hash"])
        return {payload["id"]: payload["embed_hash"] for payload in found}

    def scroll(self, *, filters: Filters | None = None) -> Iterator[SemanticChunk]:
        return map(chunk_from_payload, self._payloads(read_filters(filters), True))

    def points(self, ids: Sequence[str] | None = None) -> Iterator[StoredPoint]:
        if ids is None:
            return map(stored_point, self._scroll((), True, with_vectors=True))
        return map(stored_point, self._retrieve(ids))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _payloads(
        self, conditions: Sequence[Condition], fields: list[str] | bool
    ) -> Iterator[Mapping[str, Any]]:
        return (record.payload or {} for record in self._scroll(conditions, fields, with_vectors=False))


def stored_point(record: Any) -> StoredPoint:
    """The point of an engine's record that was read with payload and vectors."""
    named: Any = record.vector if isinstance(record.vector, dict) else {}
    return StoredPoint(
        id=str(record.id),
        payload=record.payload or {},
        dense=named.get("dense"),
        sparse=_sparse(named.get("sparse")),
        words=_sparse(named.get("bm25")),
        tokens=tuple(map(_bytes, named.get("tokens") or ())),
    )


def _bytes(numbers: Sequence[float]) -> bytes:
    """What an engine gives as numbers; six times as fast as one by one."""
    import numpy as np

    return np.frombuffer(struct.pack(f"{len(numbers)}d", *numbers)).astype(np.uint8).tobytes()


def _sparse(vector: Any) -> SparseVector | None:
    return SparseVector(vector.indices, vector.values) if vector else None

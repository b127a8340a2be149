"""A store in memory: exact search over everything, for tests, trials and collections that need not last."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

from ragcrawler.items import SemanticChunk, SparseVector, Vectors
from ragcrawler.stores.candidates import candidate_depth, ranked
from ragcrawler.stores.checks import check_chunks, check_query
from ragcrawler.stores.filters import payload_matches, typed_filters
from ragcrawler.stores.fusion import reciprocal_rank_fusion
from ragcrawler.stores.payload import chunk_payload
from ragcrawler.stores.protocol import CollectionModels, Hit, SearchMode, StoredPoint, StoreError
from ragcrawler.stores.remembered_models import current_models, require_same_models


class MemoryStore:
    """A `ChunkStore` that ends with its process; `flush` has nothing to do."""

    location = "memory"

    def __init__(self) -> None:
        self._models: CollectionModels | None = None
        self._chunks: dict[str, SemanticChunk] = {}
        self._vectors: dict[str, Vectors] = {}
        self._closed = False

    def models(self) -> CollectionModels | None:
        """See `ChunkStore`."""
        return self._models

    def create(self, models: CollectionModels) -> None:
        """See `ChunkStore`."""
        if self._models is None:
            self._models = models
        require_same_models(self._opened(), models, self.location)
        self._models = current_models(self._models, models)

    def upsert(self, chunks: Sequence[SemanticChunk]) -> None:
        """See `ChunkStore`."""
        check_chunks(chunks, self._opened(), lambda ids: self._chunks.keys() & set(ids))
        for chunk in chunks:
            if chunk.vectors is not None:
                self._vectors[chunk.id] = chunk.vectors
            self._chunks[chunk.id] = replace(chunk, vectors=None)

    def delete(self, ids: Sequence[str]) -> None:
        """See `ChunkStore`."""
        self._opened()
        for each in ids:
            self._chunks.pop(each, None)
            self._vectors.pop(each, None)

    def embed_hashes(self, document_id: str) -> Mapping[str, str]:
        """See `ChunkStore`."""
        return {chunk.id: chunk.embed_hash for chunk in self._fitting({"document_id": document_id})}

    def search(
        self,
        query: Vectors,
        *,
        limit: int,
        mode: SearchMode = "hybrid",
        filters: Mapping[str, str] | None = None,
    ) -> list[Hit]:
        """See `ChunkStore`."""
        check_query(query, self._opened(), mode, limit)
        fitting = self._fitting(typed_filters(filters))
        dense = [] if mode == "sparse" else self._by_dense(query.dense, fitting)
        sparse = [] if mode == "dense" else self._by_sparse(query.sparse, fitting)
        if mode != "hybrid":
            return (dense or sparse)[:limit]
        depth = candidate_depth(limit)
        fused = reciprocal_rank_fusion([[hit.chunk.id for hit in hits[:depth]] for hits in (dense, sparse)])
        return ranked((Hit(self._chunks[each], score) for each, score in fused), limit)

    def get(self, ids: Sequence[str]) -> list[SemanticChunk]:
        """See `ChunkStore`."""
        self._opened()
        return [self._chunks[each] for each in ids if each in self._chunks]

    def scroll(self, *, filters: Mapping[str, str] | None = None) -> Iterator[SemanticChunk]:
        """See `ChunkStore`."""
        return iter(self._fitting(typed_filters(filters)))

    def points(self) -> Iterator[StoredPoint]:
        """See `ChunkStore`."""
        for chunk in self._fitting({}):
            vectors = self._vectors[chunk.id]
            yield StoredPoint(chunk.id, chunk_payload(chunk), vectors.dense, vectors.sparse)

    def count(self, *, filters: Mapping[str, str] | None = None) -> int:
        """See `ChunkStore`."""
        return len(self._fitting(typed_filters(filters)))

    def optimize(self) -> None:
        """See `ChunkStore`."""

    def flush(self) -> None:
        """See `ChunkStore`."""

    def close(self) -> None:
        """See `ChunkStore`."""
        self._closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _opened(self) -> CollectionModels:
        if self._models is None or self._closed:
            state = "is closed" if self._closed else "does not exist. Crawl something into it first"
            raise StoreError(f"The collection in memory {state}.")
        return self._models

    def _fitting(self, conditions: Mapping[str, Any]) -> list[SemanticChunk]:
        self._opened()
        if not conditions:
            return list(self._chunks.values())
        return [chunk for chunk in self._chunks.values() if payload_matches(chunk_payload(chunk), conditions)]

    def _by_dense(self, query: Sequence[float], fitting: Sequence[SemanticChunk]) -> list[Hit]:
        """By cosine similarity; a vector of zeros is similar to nothing."""
        import numpy as np

        if not fitting:
            return []
        matrix = np.asarray([self._vectors[chunk.id].dense for chunk in fitting], dtype=np.float32)
        wanted = np.asarray(query, dtype=np.float32)
        lengths = np.linalg.norm(matrix, axis=1) * np.linalg.norm(wanted)
        scores = np.divide(
            matrix @ wanted, lengths, out=np.zeros(len(fitting), np.float32), where=lengths > 0
        )
        hits = (Hit(chunk, float(score)) for chunk, score in zip(fitting, scores, strict=True))
        return ranked(hits, len(fitting))

    def _by_sparse(self, query: SparseVector, fitting: Sequence[SemanticChunk]) -> list[Hit]:
        """By dot product, over the chunks that share an entry with the query."""
        weights = dict(zip(query.indices, query.values, strict=True))
        hits = []
        for chunk in fitting:
            sparse = self._vectors[chunk.id].sparse
            shared = [
                (i, value) for i, value in zip(sparse.indices, sparse.values, strict=True) if i in weights
            ]
            if shared:
                hits.append(Hit(chunk, sum(weights[i] * value for i, value in shared)))
        return ranked(hits, len(hits))

"""A store in memory: exact search over everything, for tests, trials and collections that need not last."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Self

from ragcrawler.items import SemanticChunk
from ragcrawler.stores.checks import check_chunks, check_request
from ragcrawler.stores.errors import StoreError
from ragcrawler.stores.filters import Condition, Filters, read_filters
from ragcrawler.stores.memory.payload_filter import payload_matches
from ragcrawler.stores.memory.search import LegVectors, MemoryEngine
from ragcrawler.stores.payload import chunk_payload
from ragcrawler.stores.protocol import CollectionModels, Hit, StoredPoint
from ragcrawler.stores.ranking.search import search
from ragcrawler.stores.ranking.word_weights import document_weights
from ragcrawler.stores.remembered_models import current_models, require_same_models
from ragcrawler.stores.search_request import SearchRequest


class MemoryStore:
    """A `ChunkStore` that ends with its process; `flush` has nothing to do."""

    location = "memory"

    def __init__(self) -> None:
        self._models: CollectionModels | None = None
        self._chunks: dict[str, SemanticChunk] = {}
        self._vectors: dict[str, LegVectors] = {}
        self._closed = False

    def models(self) -> CollectionModels | None:
        return self._models

    def create(self, models: CollectionModels) -> None:
        if self._models is None:
            self._models = models
        require_same_models(self._require_open(), models, self.location)
        self._models = current_models(self._models, models)

    def upsert(self, chunks: Sequence[SemanticChunk]) -> None:
        models = self._require_open()
        check_chunks(chunks, models, lambda ids: self._chunks.keys() & set(ids))
        for chunk in chunks:
            if chunk.vectors is not None:
                words = document_weights(chunk.embed_text)
                tokens = chunk.vectors.tokens if models.tokens else ()
                self._vectors[chunk.id] = LegVectors(chunk.vectors.dense, chunk.vectors.sparse, words, tokens)
            self._chunks[chunk.id] = replace(chunk, vectors=None)

    def delete(self, ids: Sequence[str]) -> None:
        self._require_open()
        for each in ids:
            self._chunks.pop(each, None)
            self._vectors.pop(each, None)

    def embed_hashes(self, document_id: str) -> Mapping[str, str]:
        return {
            chunk.id: chunk.embed_hash for chunk in self._fitting(read_filters({"document_id": document_id}))
        }

    def search(self, request: SearchRequest) -> list[Hit]:
        check_request(request, self._require_open(), self.location)
        return search(MemoryEngine(self._fitting(request.filters), self._vectors), request)

    def get(self, ids: Sequence[str]) -> list[SemanticChunk]:
        self._require_open()
        return [self._chunks[each] for each in ids if each in self._chunks]

    def scroll(self, *, filters: Filters | None = None) -> Iterator[SemanticChunk]:
        return iter(self._fitting(read_filters(filters)))

    def points(self, ids: Sequence[str] | None = None) -> Iterator[StoredPoint]:
        for chunk in self._fitting(()) if ids is None else self.get(ids):
            vectors = self._vectors[chunk.id]
            made = (vectors.dense, vectors.sparse, vectors.bm25, vectors.tokens)
            yield StoredPoint(chunk.id, chunk_payload(chunk), *made)

    def count(self, *, filters: Filters | None = None) -> int:
        return len(self._fitting(read_filters(filters)))

    def optimize(self) -> None:
        """See `ChunkStore`."""

    def erase(self) -> None:
        """See `ChunkStore`."""

    def flush(self) -> None:
        """See `ChunkStore`."""

    def close(self) -> None:
        self._closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _require_open(self) -> CollectionModels:
        if self._models is None or self._closed:
            state = "is closed" if self._closed else "does not exist. Crawl something into it first"
            raise StoreError(f"The collection in memory {state}.")
        return self._models

    def _fitting(self, conditions: Sequence[Condition]) -> list[SemanticChunk]:
        self._require_open()
        if not conditions:
            return list(self._chunks.values())
        return [chunk for chunk in self._chunks.values() if payload_matches(chunk_payload(chunk), conditions)]

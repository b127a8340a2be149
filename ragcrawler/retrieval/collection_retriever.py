"""Questions to a crawled collection: the retriever that `scrapy search` and programs use."""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, Self, TypeVar, get_args

from ragcrawler.items import SparseVector, Vectors, chunk_record
from ragcrawler.retrieval.chunk_words import ChunkWords
from ragcrawler.retrieval.rerank import RERANK_SECONDS, RERANKED, Reranker, reranked
from ragcrawler.stores import ChunkStore, Hit, StoreError

RetrievalMode = Literal["hybrid", "dense", "sparse", "bm25"]
VectorT_co = TypeVar("VectorT_co", covariant=True)

_NO_WEIGHTS = SparseVector((), ())


class QueryEmbedder(Protocol[VectorT_co]):
    """The half of an embedder that questions need."""

    def embed_query(self, text: str) -> VectorT_co:
        """The vector of a question."""


class CollectionRetriever:
    """Searches a store with the embedders of its models; owns the store and closes it.

    Not thread-safe, like the store.
    """

    def __init__(
        self,
        store: ChunkStore,
        dense: QueryEmbedder[Sequence[float]],
        sparse: QueryEmbedder[SparseVector],
        *,
        reranker: Reranker | None = None,
    ) -> None:
        """Search `store`; a mode asks only the embedders that it needs."""
        self._store = store
        self._dense = dense
        self._sparse = sparse
        self._reranker = reranker
        self._words = ChunkWords(store)

    @property
    def store(self) -> ChunkStore:
        """The collection that is searched."""
        return self._store

    def search(
        self,
        query: str,
        k: int = 10,
        *,
        mode: RetrievalMode = "hybrid",
        filters: Mapping[str, str] | None = None,
    ) -> list[Hit]:
        """At most `k` hits, best first, no chunk twice; each unpacks as `(chunk, score)`.

        What a score is depends on the mode, see `Hit`; in "bm25" it is that of `BM25Index`. With a reranker
        the order is the reranker's choice among the best 20, or `k` if that is more; the scores stay.

        Raises:
            StoreError: there is no collection, or a filter names no field.
            ValueError: there is no such mode, the query is empty, or `k` is less than 1.
        """
        if mode not in get_args(RetrievalMode):
            raise ValueError(f"There is no mode {mode!r}: choose {', '.join(get_args(RetrievalMode))}.")
        if not query.strip():
            raise ValueError("The query is empty: ask for something.")
        if k < 1:
            raise ValueError(f"Cannot search for {k} hits: ask for at least 1.")
        if self._reranker is None:
            return self._found(query, k, mode, filters)
        hits = self._found(query, max(k, RERANKED), mode, filters)
        records = [chunk_record(hit.chunk) for hit in hits]
        by_id = {hit.chunk.id: hit for hit in hits}
        order = reranked(self._reranker, records, query, k, seconds=RERANK_SECONDS).ids
        return [by_id[each] for each in order[:k]]

    def close(self) -> None:
        """Close the store; calling it twice is fine."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _found(
        self, query: str, limit: int, mode: RetrievalMode, filters: Mapping[str, str] | None
    ) -> list[Hit]:
        if mode == "bm25":
            return self._words.search(query, limit, filters)
        if self._store.models() is None:
            raise StoreError(
                f"The collection {self._store.location!r} does not exist. Crawl something into it first."
            )
        dense = () if mode == "sparse" else self._dense.embed_query(query)
        sparse = _NO_WEIGHTS if mode == "dense" else self._sparse.embed_query(query)
        return self._store.search(Vectors(dense, sparse), limit=limit, mode=mode, filters=filters)

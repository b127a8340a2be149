"""The lexical index of a collection, built in memory when the first question wants it."""

from collections.abc import Mapping

from ragcrawler.retrieval.bm25 import BM25Index
from ragcrawler.stores import ChunkStore, Hit
from ragcrawler.stores.filters import payload_matches, typed_filters
from ragcrawler.stores.payload import chunk_payload


class ChunkWords:
    """BM25 over the embedded text of every chunk: its heading path counts as its content does.

    It holds the whole collection in memory and reads it once, and again when the number of chunks has
    changed; edits that change no number are seen by a new retriever.
    """

    def __init__(self, store: ChunkStore) -> None:
        self._store = store
        self._index: BM25Index | None = None

    def search(self, query: str, k: int, filters: Mapping[str, str] | None = None) -> list[Hit]:
        """The best chunks, best first; `filters` as in `ChunkStore`.

        Raises:
            StoreError: there is no collection, or a filter names no field.
        """
        conditions = typed_filters(filters)
        index = self._current()
        hits: list[Hit] = []
        for document, score in index.search(query, k=len(index) if conditions else k):
            if not conditions or payload_matches(chunk_payload(document["chunk"]), conditions):
                hits.append(Hit(document["chunk"], score))
            if len(hits) == k:
                break
        return hits

    def _current(self) -> BM25Index:
        count = self._store.count()
        if self._index is None or len(self._index) != count:
            self._index = BM25Index()
            for chunk in self._store.scroll():
                self._index.add_document({"content": chunk.embed_text, "chunk": chunk})
        return self._index

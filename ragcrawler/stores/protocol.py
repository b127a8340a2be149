"""The `ChunkStore` Protocol and its values."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, Self

from ragcrawler.items import SemanticChunk, SparseVector
from ragcrawler.stores.filters import Filters
from ragcrawler.stores.ranking.word_weights import WORDS_VERSION
from ragcrawler.stores.search_request import SearchRequest


class StoredPoint(NamedTuple):
    """A point as the store has it, right or wrong.

    Attributes:
        id: the point's own, which a damaged payload may not repeat.
        payload: as it is.
        dense: its dense vector, None where it has none; a store may have scaled it to length 1.
        sparse: its sparse vector, None where it has none.
        words: the weights of its words for BM25, None where it has none.
        tokens: vectors of parts of its text, a byte a dimension.
    """

    id: str
    payload: Mapping[str, Any]
    dense: Sequence[float] | None
    sparse: SparseVector | None
    words: SparseVector | None = None
    tokens: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class CollectionModels:
    """The models whose vectors a collection holds; it remembers them.

    Attributes:
        dense: name of the dense model.
        dense_dimensions: length of its vectors.
        dense_fingerprint: hash of its weights, "" where unknown.
        sparse: name of the sparse model.
        sparse_fingerprint: hash of its weights, "" where unknown.
        chunker: version of the chunker that wrote last, "" where unknown; others may follow it.
        words: how the words of its chunks were weighed for "bm25", "" where it holds none.
        tokens: how the token vectors of its chunks were made, "" where it holds none.
    """

    dense: str
    dense_dimensions: int
    sparse: str
    dense_fingerprint: str = ""
    sparse_fingerprint: str = ""
    chunker: str = ""
    words: str = WORDS_VERSION
    tokens: str = ""


class Hit(NamedTuple):
    """A ranked chunk; unpacks as `(chunk, score)`.

    Attributes:
        chunk: without vectors.
        score: higher is better, comparable only within one answer: by "dense" the cosine similarity (-1 to
            1), by "sparse" the dot product, by "bm25" BM25, by several fused by RRF the sum of weight /
            (k + rank), by DBSF that of weight * scaled score, and what the document adds to either.
    """

    chunk: SemanticChunk
    score: float


class ReadableStore(Protocol):
    """A collection of chunks that can be searched and read; not thread-safe unless it says so.

    `filters` are conditions on payload fields, all of which must hold; see `read_filters`.
    """

    @property
    def location(self) -> str:
        """Where the collection is, for messages; without secrets."""

    def models(self) -> CollectionModels | None:
        """The models the collection remembers; None while there is no collection."""

    def search(self, request: SearchRequest) -> list[Hit]:
        """The best chunks, best first, none twice; see `SearchRequest`.

        Chunks of equal score come in the order of their ids.

        Raises:
            StoreError: there is no collection, or the request does not fit it.
        """

    def get(self, ids: Sequence[str]) -> list[SemanticChunk]:
        """The chunks with these ids that exist, in the order asked."""

    def scroll(self, *, filters: Filters | None = None) -> Iterable[SemanticChunk]:
        """Every chunk that fits, in no order, without vectors; reads in batches."""

    def points(self, ids: Sequence[str] | None = None) -> Iterable[StoredPoint]:
        """Every point as it is, or those of these chunks that exist, in no order; reads in batches."""

    def count(self, *, filters: Filters | None = None) -> int:
        """How many chunks fit, exactly."""

    def close(self) -> None:
        """Let go; calling it twice is fine."""


class ChunkStore(ReadableStore, Protocol):
    """A collection of chunks with their vectors; not thread-safe: one executor owns it."""

    def create(self, models: CollectionModels) -> None:
        """Make the collection, with its payload indexes, unless it is there; remember the chunker.

        A collection of an older schema is brought to this one.

        Raises:
            StoreError: it is there with other models, and both are named, or with a newer schema.
        """

    def upsert(self, chunks: Sequence[SemanticChunk]) -> None:
        """Write chunks; a chunk without vectors replaces the payload of a point that is there.

        All of them are checked before the first is written.

        Raises:
            StoreError: there is no collection, a chunk does not fit it, or it could not be written.
        """

    def delete(self, ids: Sequence[str]) -> None:
        """Remove points by chunk id; unknown ids are no error."""

    def embed_hashes(self, document_id: str) -> Mapping[str, str]:
        """Chunk id to `embed_hash` for every stored chunk of a document."""

    def optimize(self) -> None:
        """Build what makes searching a big collection fast; right after a crawl, before `close`.

        Searches are right without it. It may take minutes, in which the calling process does nothing else.
        """

    def erase(self) -> None:
        """Rewrite the files in which something is left of what was deleted.

        It takes about as long as to write them, and nothing else is answered meanwhile. A server does so by
        itself, when it finds it worth the while.

        Raises:
            StoreError: they cannot be written, or the disk has no room for them.
        """

    def flush(self) -> None:
        """Return when everything written is durable."""

    def close(self) -> None:
        """Flush and let go; calling it twice is fine."""

    def __enter__(self) -> Self:
        """Use as a context that closes."""

    def __exit__(self, *exception: object) -> None:
        """Close."""

"""Chunks read back together with their vectors."""

from collections.abc import Iterator
from dataclasses import replace

from ragcrawler.items import SemanticChunk, SparseVector, Vectors
from ragcrawler.stores.errors import StoreError
from ragcrawler.stores.payload import chunk_from_payload
from ragcrawler.stores.protocol import ChunkStore, StoredPoint

_EMPTY = SparseVector((), ())  # a server keeps no vector without entries


def chunks_with_vectors(store: ChunkStore) -> Iterator[SemanticChunk]:
    """Every chunk of a collection with its vectors, in no order; reads in batches.

    Raises:
        StoreError: a point has no dense vector, or is no chunk.
    """
    for point in store.points():
        yield _chunk(point, store.location)


def _chunk(point: StoredPoint, location: str) -> SemanticChunk:
    if point.dense is None:
        raise StoreError(_damaged(point, location, "it has no dense vector"))
    try:
        chunk = chunk_from_payload(point.payload)
    except (KeyError, TypeError, AttributeError) as error:
        raise StoreError(_damaged(point, location, f"{type(error).__name__}: {error}")) from error
    return replace(chunk, vectors=Vectors(point.dense, point.sparse or _EMPTY, point.tokens))


def _damaged(point: StoredPoint, location: str, what: str) -> str:
    return f"The point {point.id} of {location!r} is damaged ({what}). Run `scrapy verify --repair` first."

"""Bringing the store in step with documents."""

from collections.abc import Sequence
from dataclasses import dataclass

from ragcrawler.items import SemanticChunk
from ragcrawler.stores import ChunkStore


@dataclass(frozen=True, slots=True)
class Synchronised:
    """What the store should hold of a document.

    Attributes:
        document_id: the document.
        chunks: with vectors where they are new; without where the store has the vectors already.
        stale: ids of chunks the document no longer has.
    """

    document_id: str
    chunks: tuple[SemanticChunk, ...]
    stale: tuple[str, ...] = ()


def synchronise(store: ChunkStore, documents: Sequence[Synchronised]) -> list[int]:
    """Write the chunks of some documents in one go, then remove the stale ones.

    In this order a crash leaves a document with too much rather than too little; the next crawl mends it.

    Returns:
        for each document the number of chunks written.

    Raises:
        StoreError: nothing, or not all, could be written.
    """
    store.upsert([chunk for document in documents for chunk in document.chunks])
    store.delete([chunk_id for document in documents for chunk_id in document.stale])
    return [len(document.chunks) for document in documents]

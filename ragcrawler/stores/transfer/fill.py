"""Stream chunks from any source into a collection in batches."""

from collections.abc import Callable, Iterable, Sequence

from ragcrawler.items import SemanticChunk
from ragcrawler.stores.batches import WRITE_BATCH, batches
from ragcrawler.stores.protocol import ChunkStore

Embed = Callable[[Sequence[SemanticChunk]], list[SemanticChunk]]
"""Gives chunks their vectors, and what else follows from the model; keeps their order."""


def fill(store: ChunkStore, chunks: Iterable[SemanticChunk], embed: Embed | None = None) -> int:
    """Write chunks, with at most one batch in memory; returns their number.

    Args:
        store: with a collection for their models.
        chunks: with vectors where there is no `embed`.
        embed: makes the vectors.

    Raises:
        StoreError: one does not fit, or could not be written; the batches before it are stored.
    """
    written = 0
    for batch in batches(chunks, WRITE_BATCH):
        store.upsert(embed(batch) if embed else batch)
        written += len(batch)
    return written

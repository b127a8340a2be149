"""Writes many chunks, of which the store may refuse some."""

from collections.abc import Sequence

from ragcrawler.items import SemanticChunk
from ragcrawler.stores import ChunkStore, DiskFullError, StoreAwayError, StoreError

# A store that refuses this many refuses everything, for want of space or rights: the others are not tried.
MOST_REFUSED = 16


def upsert_isolating_failures(store: ChunkStore, chunks: Sequence[SemanticChunk]) -> dict[str, StoreError]:
    """Write all chunks that the store takes; a batch that it refuses is halved until the bad stand alone.

    Returns:
        the ids of those that it does not take, with its reasons.

    Raises:
        StoreAwayError: it is not there at all.
        DiskFullError: it has no room.
    """
    refused: dict[str, StoreError] = {}
    _write(store, chunks, refused)
    return refused


def _write(store: ChunkStore, chunks: Sequence[SemanticChunk], refused: dict[str, StoreError]) -> None:
    if not chunks:
        return
    if len(refused) >= MOST_REFUSED:
        refused |= dict.fromkeys((chunk.id for chunk in chunks), next(reversed(refused.values())))
        return
    try:
        store.upsert(chunks)
    except (StoreAwayError, DiskFullError):
        raise
    except StoreError as error:
        if len(chunks) == 1:
            refused[chunks[0].id] = error
            return
        half = len(chunks) // 2
        _write(store, chunks[:half], refused)
        _write(store, chunks[half:], refused)

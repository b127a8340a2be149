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
    batches = [chunks] if chunks else []
    while batches:
        batch = batches.pop()
        if len(refused) >= MOST_REFUSED:
            refused |= dict.fromkeys((chunk.id for chunk in batch), next(reversed(refused.values())))
            continue
        try:
            store.upsert(batch)
        except (StoreAwayError, DiskFullError):
            raise
        except StoreError as error:
            if len(batch) == 1:
                refused[batch[0].id] = error
            else:
                half = len(batch) // 2
                batches += [batch[half:], batch[:half]]  # in the order of the chunks: the last comes first
    return refused

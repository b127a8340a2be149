"""One collection made of another: chunk by chunk, as often as it is interrupted, and at last exactly equal.

The long part, embedding, works from a copy of the chunks on disk: meanwhile the collection that is read is
open to others, and it can be searched and crawled into. The last pass reads it again, does what has changed,
and finds nothing more to do where nothing has.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import IO

from ragcrawler.items import SemanticChunk
from ragcrawler.stores.batches import READ_BATCH, WRITE_BATCH, batches
from ragcrawler.stores.errors import StoreError
from ragcrawler.stores.exports import ExportHeader, read_export, write_export
from ragcrawler.stores.protocol import ChunkStore, CollectionModels
from ragcrawler.stores.transfer.chunks_with_vectors import chunks_with_vectors
from ragcrawler.stores.transfer.fill import Embed

OpenStore = Callable[[], ChunkStore]
Renew = Callable[[SemanticChunk], SemanticChunk]


@dataclass(frozen=True, slots=True)
class Rebuilding:
    """How the chunks of the new collection are re-embedded; without it the vectors are copied.

    Attributes:
        renew: the chunk with what else follows from the models, without vectors; raises StoreError where the
            chunk does not fit them.
        embed: gives renewed chunks their vectors.
    """

    renew: Renew
    embed: Embed


@dataclass(slots=True)
class Rebuilt:
    """How much was done, in chunks.

    Attributes:
        written: with vectors.
        updated: the payload alone.
        removed: what the source no longer had.
        unchanged: left as they were.
    """

    written: int = 0
    updated: int = 0
    removed: int = 0
    unchanged: int = 0


def require_own(source: ChunkStore, target: ChunkStore) -> None:
    """Refuse to rebuild into a collection that holds anything else.

    Raises:
        StoreError: a chunk of the target is not in the source; names both.
    """
    for batch in batches(target.scroll(), READ_BATCH):
        known = {chunk.id for chunk in source.get([chunk.id for chunk in batch])}
        strange = next((chunk for chunk in batch if chunk.id not in known), None)
        if strange is not None:
            raise StoreError(
                f"The collection {target.location!r} holds what {source.location!r} does not, the chunk "
                f"{strange.chunk_id!r} for one: choose a name that is not in use, or remove that collection."
            )


class ChunkCopy:
    """Chunks on disk, which can be gone through again and again."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def __iter__(self) -> Iterator[SemanticChunk]:
        self._file.seek(0)
        return read_export(self._file)[1]


@contextmanager
def copy_chunks(open_source: OpenStore) -> Iterator[ChunkCopy]:
    """The chunks that the source has now, on disk, while no process holds the source.

    Raises:
        StoreError: there is no collection, or it cannot be read.
    """
    with tempfile.TemporaryFile() as file:
        with open_source() as source:
            header = ExportHeader(_models(source), has_vectors=False)
            write_export(file, "jsonl", header, source.scroll())
        yield ChunkCopy(file)


def require_fit(chunks: Iterable[SemanticChunk], rebuilding: Rebuilding) -> None:
    """Find out before anything is made or embedded whether every chunk fits the models.

    Raises:
        StoreError: one does not.
    """
    for chunk in chunks:
        rebuilding.renew(chunk)


def embed_ahead(chunks: Iterable[SemanticChunk], target: ChunkStore, rebuilding: Rebuilding) -> Rebuilt:
    """Embed what the source had when it was copied; `finish` has to follow.

    Raises:
        StoreError: the target fails.
    """
    done = Rebuilt()
    _write(chunks, target, rebuilding, done)
    return done


def finish(source: ChunkStore, target: ChunkStore, rebuilding: Rebuilding | None) -> Rebuilt:
    """Make the target equal to the source; no other process may write to the source any more.

    Raises:
        StoreError: a chunk does not fit, or a store fails.
    """
    done = Rebuilt()
    _write(source.scroll() if rebuilding else chunks_with_vectors(source), target, rebuilding, done)
    for batch in batches(target.scroll(), READ_BATCH):
        known = {chunk.id for chunk in source.get([chunk.id for chunk in batch])}
        surplus = [chunk.id for chunk in batch if chunk.id not in known]
        target.delete(surplus)
        done.removed += len(surplus)
    target.flush()
    if source.count() != target.count():
        raise StoreError(
            f"{source.location!r} has {source.count()} chunks and {target.location!r} {target.count()}: "
            "something else writes to them. End it and run the same command again."
        )
    return done


def _write(
    chunks: Iterable[SemanticChunk], target: ChunkStore, rebuilding: Rebuilding | None, done: Rebuilt
) -> None:
    for batch in batches(chunks, WRITE_BATCH):
        stored = {chunk.id: chunk for chunk in target.get([chunk.id for chunk in batch])}
        renewed = [rebuilding.renew(chunk) for chunk in batch] if rebuilding else batch
        changed = [chunk for chunk in renewed if stored.get(chunk.id) != replace(chunk, vectors=None)]
        known = {
            each.id for each in changed if each.id in stored and stored[each.id].embed_hash == each.embed_hash
        }
        fresh = [chunk for chunk in changed if chunk.id not in known]
        bare = [replace(chunk, vectors=None) for chunk in changed if chunk.id in known]
        target.upsert([*(rebuilding.embed(fresh) if rebuilding and fresh else fresh), *bare])
        done.written += len(fresh)
        done.updated += len(bare)
        done.unchanged += len(batch) - len(changed)


def _models(store: ChunkStore) -> CollectionModels:
    models = store.models()
    if models is None:
        raise StoreError(f"The collection {store.location!r} does not exist. Crawl something into it first.")
    return models

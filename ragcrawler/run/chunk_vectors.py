"""The vectors of a page's chunks: from the cache, or by the models with those of other pages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ragcrawler.bootstrap.models import Models
from ragcrawler.embedding.vector_cache import VectorCache
from ragcrawler.items import SemanticChunk, Vectors
from ragcrawler.run.batcher import Batcher
from ragcrawler.run.one_thread import OneThread

Outcome = Vectors | BaseException | None


@dataclass(frozen=True, slots=True)
class ChunkVectors:
    """What came of some chunks.

    Attributes:
        outcomes: one a chunk, in order: its vectors, the error it caused, or None where the crawl was
            interrupted before its turn.
        cached: how many of them the cache had.
        cache: whose counts of what went wrong may be of interest.
    """

    outcomes: tuple[Outcome, ...]
    cached: int
    cache: VectorCache


class VectorMaker:
    """Looks texts up at once, off the models' thread, and queues only what is new.

    Args:
        models: loaded.
        thread: that owns them.
        flush_texts: of one turn of the models.
        is_running: says no once the crawl was interrupted.
    """

    def __init__(
        self, models: Models, thread: OneThread, *, flush_texts: int, is_running: Callable[[], bool]
    ) -> None:
        self._models = models
        self._lookups = OneThread("embedding-cache")
        self._embedding = Batcher[SemanticChunk, Vectors](
            models.embed, thread.executor, max_items=flush_texts, is_running=is_running
        )

    async def make(self, chunks: Sequence[SemanticChunk]) -> ChunkVectors:
        """The vectors of some chunks."""
        known = await self._lookups.do(lambda: self._models.known(chunks))
        new = [chunk for chunk, vectors in zip(chunks, known, strict=True) if vectors is None]
        made = iter(await self._embedding.submit(new))
        outcomes = tuple(next(made) if vectors is None else vectors for vectors in known)
        return ChunkVectors(outcomes, len(chunks) - len(new), self._models.cache)

    async def close(self) -> None:
        """Close the cache; what a model still computes is not kept."""
        await self._lookups.do(self._models.cache.close)
        self._lookups.close()

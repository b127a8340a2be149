"""Embeds the chunks of pages: from the cache, or in batches with those of other pages."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from ragcrawler.embedding.cache.cached_embedder import CachedEmbedder
from ragcrawler.embedding.cache.vector_cache import VectorCache
from ragcrawler.embedding.embedders import Embedders
from ragcrawler.items import SemanticChunk, Vectors, tokens_of
from ragcrawler.run.execution.length_batcher import LengthBatcher
from ragcrawler.run.execution.single_thread_executor import SingleThreadExecutor
from ragcrawler.run.reporting.stage_times import Stage, StageTimes

VectorT = TypeVar("VectorT")
Outcome = Vectors | BaseException | None


@dataclass(frozen=True, slots=True)
class ChunkVectors:
    """The vectors and errors of some chunks.

    Attributes:
        outcomes: one a chunk, in order: its vectors, the error it caused, or None where the crawl was
            interrupted before its turn.
        cached: how many of them the cache had, of both kinds.
        cache: whose counts of what went wrong may be of interest.
    """

    outcomes: tuple[Outcome, ...]
    cached: int
    cache: VectorCache


class ChunkEmbedder:
    """Looks texts up at once, and queues only what is new, for each model apart.

    Args:
        embedders: loaded.
        is_running: says no once the crawl was interrupted.
        times: where each model enters its own; not kept unless given.
    """

    def __init__(
        self, embedders: Embedders, is_running: Callable[[], bool], times: StageTimes | None = None
    ) -> None:
        self._embedders = embedders
        self._is_running = is_running
        self._times = times or StageTimes()
        self._lookups = SingleThreadExecutor("embedding-cache")
        self._processors: dict[str, ThreadPoolExecutor] = {}
        self._dense = self._batcher("embed_dense", embedders.dense)
        self._sparse = self._batcher("embed_sparse", embedders.sparse)

    async def embed(self, chunks: Sequence[SemanticChunk]) -> ChunkVectors:
        texts = [chunk.embed_text for chunk in chunks]
        dense, sparse = await self._lookups.do(
            lambda: (self._embedders.dense.look_up(texts), self._embedders.sparse.look_up(texts))
        )
        cached = sum(None not in pair for pair in zip(dense, sparse, strict=True))
        made = await asyncio.gather(
            _complete(self._dense, texts, dense), _complete(self._sparse, texts, sparse)
        )
        return ChunkVectors(tuple(map(_outcome, *made)), cached, self._embedders.cache)

    async def close(self) -> None:
        self._embedders.close()
        for executor in self._processors.values():
            executor.shutdown(wait=False, cancel_futures=True)
        await self._lookups.do(self._embedders.cache.close)
        self._lookups.close()

    def _batcher(self, stage: Stage, embedder: CachedEmbedder[VectorT]) -> LengthBatcher[VectorT]:
        limits = embedder.limits
        if limits.resource not in self._processors:
            executor = ThreadPoolExecutor(limits.runs, thread_name_prefix=limits.resource)
            self._processors[limits.resource] = executor
        executor = self._processors[limits.resource]
        call = self._times.timed(stage, embedder.embed_batch, limits)
        return LengthBatcher(call, limits, executor=executor, is_running=self._is_running)


async def _complete(
    batcher: LengthBatcher[VectorT], texts: Sequence[str], known: Sequence[VectorT | None]
) -> list[VectorT | BaseException | None]:
    """The cached vectors, with the missing ones made by the batcher."""
    made = iter(
        await batcher.submit([text for text, vector in zip(texts, known, strict=True) if vector is None])
    )
    return [next(made) if vector is None else vector for vector in known]


def _outcome(dense: object, sparse: object) -> Outcome:
    """Both vectors; else the error of either; else None."""
    for one in (dense, sparse):
        if isinstance(one, BaseException):
            return one
    if dense is None or sparse is None:
        return None
    return Vectors(dense, sparse, tokens_of(dense))  # type: ignore[arg-type]

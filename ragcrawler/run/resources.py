"""The resources of a crawl (workers, models, store), each behind its own bounded executor."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import TYPE_CHECKING, Self, TypeVar

from ragcrawler.bootstrap.catalogue_place import catalogue_place
from ragcrawler.bootstrap.models.collection_embedders import (
    collection_models,
    embedding_counter,
    open_collection_embedders,
    preparation_for,
)
from ragcrawler.bootstrap.models.vector_cache import open_vector_cache
from ragcrawler.bootstrap.preparation import Prepared
from ragcrawler.bootstrap.preparation_fingerprint import preparation_fingerprint
from ragcrawler.bootstrap.start_error import start_errors
from ragcrawler.bootstrap.worker_count import worker_count
from ragcrawler.config.configuration import Configuration
from ragcrawler.conversion.isolation import WorkerPool
from ragcrawler.embedding.embedders import Embedders
from ragcrawler.items import Document, Page, SemanticChunk
from ragcrawler.postgres.waiting import Patience
from ragcrawler.retrieval import CollectionRetriever, SearchOptions
from ragcrawler.retrieval.reranking.rerank import Reranker
from ragcrawler.run.execution.arrival_order import ArrivalOrder
from ragcrawler.run.execution.single_thread_executor import SingleThreadExecutor
from ragcrawler.run.execution.store_retry import StoreRetry
from ragcrawler.run.indexing.chunk_embedder import ChunkEmbedder, ChunkVectors
from ragcrawler.run.indexing.collection import Collection
from ragcrawler.run.indexing.open_collection import open_crawl_catalogue, open_crawl_store
from ragcrawler.run.indexing.site_blocks import SiteBlocks
from ragcrawler.run.indexing.visits import Visits
from ragcrawler.run.pages.pictures import PictureFolders
from ragcrawler.run.reporting.stage_times import StageTimes
from ragcrawler.run.steady_clock import CLOCK
from ragcrawler.stores import CollectionModels

if TYPE_CHECKING:
    from ragcrawler.run.summaries.summarizer import Summarised, Summarizer

Result = TypeVar("Result")

_LOOK_SECONDS = 0.25
# Imported once before the workers fork. docling is not among them: most sites have nothing for it to do.
_PRELOADED = ("ragcrawler.bootstrap.preparation", "ragcrawler.conversion.html.warm_up")


class CrawlResources:
    """Worker processes for conversion and chunking, the models, and the collection.

    Models and stores are not thread-safe: each has threads of its own, and what pages ask for while one works
    is done together in its next turn.

    Args:
        configuration: of all parts.
        embedders: loaded.
        collection: made for these models.
        threads: that own collection and models.
        is_running: says no once the crawl was interrupted; what was not begun by then comes back undone.
        times: where each stage enters its own.
        summarizer: writes summaries; None where there are none.

    Attributes:
        collection: what is stored, and the record of it.
        summarizer: as given.
        embedders: the models; threads may share them.
        pictures: of documents.
        site_blocks: what the pages of each site share, which stays out of chunks.
        collection_models: what the collection remembers of its models.
        preparation: fingerprint of what a page is converted and cut with.
    """

    def __init__(  # noqa: PLR0913 - the parts of a crawl, made by `open` alone
        self,
        configuration: Configuration,
        embedders: Embedders,
        collection: Collection,
        *,
        threads: tuple[SingleThreadExecutor, SingleThreadExecutor],
        is_running: Callable[[], bool],
        times: StageTimes,
        summarizer: "Summarizer | None" = None,
    ) -> None:
        self.collection = collection
        self.embedders = embedders
        self._times = times
        self._threads = threads
        self._is_running = is_running
        self.pictures = PictureFolders(configuration.output_folder)
        workers = worker_count(configuration, embedders, embeds=not collection.is_dry)
        # One job waits for each worker that is busy: it begins without a way through this process.
        self._turns = asyncio.Semaphore(2 * workers)
        self._order = ArrivalOrder()
        self._preparation = preparation_for(embedders, configuration)
        self._pool = WorkerPool[Page, Prepared](
            self._preparation,
            limits=configuration.worker_limits,
            workers=workers,
            preload=_PRELOADED,
        )
        self._vectors = ChunkEmbedder(embedders, is_running, times)
        self.summarizer = summarizer
        self.site_blocks = SiteBlocks(self, configuration.duplicates.shared_block_share, is_running)
        self.collection_models: CollectionModels = collection_models(embedders)
        summaries = configuration.summaries
        self.preparation = preparation_fingerprint(
            self._preparation, summaries.fingerprint if summaries else ""
        )

    @classmethod
    async def open(
        cls,
        configuration: Configuration,
        *,
        is_running: Callable[[], bool],
        times: StageTimes,
        is_dry: bool = False,
        is_first: bool = True,
    ) -> Self:
        """Open collection and models, and begin to start the workers.

        The collection is ours before it is looked at: another crawl may be making it. A dry run makes none.

        Raises:
            StartError: one of them is not available; the message says which, why, and the next step.
        """
        threads = store_thread, model_thread = SingleThreadExecutor("store"), SingleThreadExecutor("models")
        with start_errors():
            async with AsyncExitStack() as undo:
                opening = partial(open_crawl_store, configuration, is_running=is_running, is_dry=is_dry)
                store = await store_thread.do(opening)
                undo.push_async_callback(store_thread.do, store.close)
                cache = await model_thread.do(lambda: open_vector_cache(configuration))
                undo.callback(cache.close)
                remembered = await store_thread.do(store.models)
                embedders = await model_thread.do(
                    lambda: open_collection_embedders(configuration, remembered, cache)
                )
                patience = Patience(configuration.upkeep.store_wait_seconds, is_running)
                place = catalogue_place(configuration, patience)
                catalogue = await store_thread.do(
                    lambda: open_crawl_catalogue(place, store, is_first=is_first, is_dry=is_dry)
                )
                undo.push_async_callback(store_thread.do, catalogue.close)
                if not is_dry:
                    await store_thread.do(lambda: store.create(collection_models(embedders)))
                collection = Collection(
                    *(store, catalogue, store_thread),
                    retry=StoreRetry(configuration.upkeep.store_wait_seconds, is_running),
                    times=times,
                    visits=Visits(CLOCK.now().timestamp(), configuration.revisits),
                    is_dry=is_dry,
                )
                summarizer = _open_summarizer(configuration, embedders, is_running=is_running, is_dry=is_dry)
                if summarizer is not None:
                    undo.push_async_callback(summarizer.close)
                resources = cls(
                    *(configuration, embedders, collection),
                    threads=threads,
                    is_running=is_running,
                    times=times,
                    summarizer=summarizer,
                )
                await resources._pool.start()
                undo.pop_all()
        return resources

    async def prepare(self, page: Page) -> Prepared | None:
        """Convert and chunk a page in a worker; None where the crawl was interrupted.

        Pages come out in the order in which they went in: which of two with one text is stored must not
        depend on the number of workers.

        Raises:
            ConversionError: the page cannot be converted, or its worker died of it.
        """
        async with self._order.keep(), self._turns:
            prepared = await self._unless_stopped(self._pool.run(page))
        if prepared is not None:
            self._enter(prepared)
        return prepared

    async def chunk(self, document: Document, shared_blocks: frozenset[str] = frozenset()) -> Prepared:
        """Cut a document without chunks; blocks of these hashes are left out."""
        prepared = await asyncio.to_thread(self._preparation.prepared, document, (), shared_blocks)
        self._enter(prepared)
        return prepared

    async def summarise(self, document: Document, summarizer: "Summarizer") -> "Summarised | None":
        """A document with the summaries of its chunks; None where the crawl was interrupted."""
        began = time.perf_counter()
        done = await self._unless_stopped(summarizer.summarise(document))
        if done is not None and done.made:
            self._times.add("summarize", time.perf_counter() - began, count=done.made)
        return done

    async def embed(self, chunks: Sequence[SemanticChunk]) -> ChunkVectors:
        """Embed chunks: vectors or an error for each, nothing where the crawl was interrupted."""
        return await self._vectors.embed(chunks)

    def retriever(
        self, *, reranker: Reranker | None = None, options: SearchOptions | None = None
    ) -> CollectionRetriever:
        """Search the collection while it is written; its calls belong off the event loop.

        Args:
            reranker: orders the hits; none unless given.
            options: of searches that are given none.
        """
        dense, sparse = self.embedders.dense, self.embedders.sparse
        return CollectionRetriever(
            self.collection.shared_store, dense, sparse, reranker=reranker, options=options
        )

    async def close(self, *, is_last: bool = True) -> int:
        """End the workers and close the collection; the number of points in it.

        The index is rebuilt after a whole crawl alone: that may take a minute in which no Ctrl-C is seen.

        Args:
            is_last: whether no other process writes to the collection in this crawl.
        """
        await self._pool.close()
        if self.summarizer is not None:
            await self.summarizer.close()
        try:
            return await self.collection.close(optimize=is_last and self._is_running())
        finally:
            await self._vectors.close()
            for thread in self._threads:
                thread.close()

    def _enter(self, prepared: Prepared) -> None:
        self._times.add("chunk", prepared.chunking.wall_seconds, prepared.chunking.cpu_seconds)
        if prepared.conversion is not None:
            self._times.add("convert", prepared.conversion.wall_seconds, prepared.conversion.cpu_seconds)

    async def _unless_stopped(self, work: Awaitable[Result]) -> Result | None:
        task = asyncio.ensure_future(work)
        while not task.done() and self._is_running():
            await asyncio.wait({task}, timeout=_LOOK_SECONDS)
        if not task.done():
            task.cancel()
            return None
        return task.result()


def _open_summarizer(
    configuration: Configuration, embedders: Embedders, *, is_running: Callable[[], bool], is_dry: bool
) -> "Summarizer | None":
    if configuration.summaries is None:
        return None
    from ragcrawler.run.summaries.open import open_summarizer
    from ragcrawler.run.summaries.summarizer import SummaryEmbedding

    return open_summarizer(
        configuration.summaries,
        embedding=SummaryEmbedding(embedding_counter(embedders), embedders.name),
        may_ask=is_running,
        is_dry=is_dry,
    )

"""The heavy parts of a crawl, each behind its own bounded executor."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Self, TypeVar

from ragcrawler.bootstrap.configuration import Configuration
from ragcrawler.bootstrap.models import Models, open_models
from ragcrawler.bootstrap.preparation import Prepared, picture_folder
from ragcrawler.bootstrap.start_error import start_errors
from ragcrawler.bootstrap.vector_cache import open_vector_cache
from ragcrawler.conversion.converted import Picture
from ragcrawler.conversion.isolation import WorkerLimits, WorkerPool
from ragcrawler.items import Document, Page, SemanticChunk
from ragcrawler.run.batcher import Batcher
from ragcrawler.run.chunk_vectors import ChunkVectors, VectorMaker
from ragcrawler.run.one_thread import OneThread
from ragcrawler.run.synchronise import Synchronised, synchronise
from ragcrawler.stores import ChunkStore, CollectionModels, open_store

Result = TypeVar("Result")

_DOCUMENTS_A_WRITE = 16
_LOOK_SECONDS = 0.25
# Imported once before the workers fork. docling is not among them: most sites have nothing for it to do.
_PRELOADED = ("ragcrawler.bootstrap.preparation", "ragcrawler.conversion.html", "trafilatura", "htmldate")


class Workshop:
    """Worker processes for conversion and chunking, one thread for the models, one for the store.

    Models and stores are not thread-safe, and a model on two threads is slower than on one: so each has one
    thread, and what pages ask for while it works is done together in its next turn.

    Args:
        configuration: of all parts.
        store: with a collection for these models.
        models: loaded.
        threads: that own store and models.
        is_running: says no once the crawl was interrupted; what was not begun by then comes back undone.
    """

    def __init__(
        self,
        configuration: Configuration,
        store: ChunkStore,
        models: Models,
        *,
        threads: tuple[OneThread, OneThread],
        is_running: Callable[[], bool],
    ) -> None:
        self._store = store
        self._store_thread, self._model_thread = threads
        self._is_running = is_running
        self._output = configuration.output_folder
        self._turns = asyncio.Semaphore(configuration.workers)
        self._preparation = models.preparation(configuration)
        self._pool = WorkerPool[Page, Prepared](
            self._preparation,
            limits=WorkerLimits(
                job_seconds=configuration.worker_seconds,
                memory_bytes=configuration.worker_bytes,
                replace_bytes=configuration.replace_bytes,
            ),
            workers=configuration.workers,
            preload=_PRELOADED,
        )
        self._vectors = VectorMaker(
            models, self._model_thread, flush_texts=configuration.flush_texts, is_running=is_running
        )
        self._writing = Batcher[Synchronised, int](
            lambda documents: synchronise(store, documents),
            self._store_thread.executor,
            max_items=_DOCUMENTS_A_WRITE,
            is_running=lambda: True,  # what is embedded is stored, whatever happens
        )
        self.collection_models: CollectionModels = models.remembered

    @classmethod
    async def open(cls, configuration: Configuration, *, is_running: Callable[[], bool]) -> Self:
        """Open store and models, and begin to start the workers.

        Raises:
            StartError: one of them cannot be had; says which, why and what to do.
        """
        threads = store_thread, model_thread = OneThread("store"), OneThread("models")
        with start_errors():
            async with AsyncExitStack() as undo:
                store = await store_thread.do(lambda: open_store(configuration.store))
                undo.push_async_callback(store_thread.do, store.close)
                cache = await model_thread.do(lambda: open_vector_cache(configuration))
                undo.callback(cache.close)
                remembered = await store_thread.do(store.models)
                models = await model_thread.do(lambda: open_models(configuration, remembered, cache))
                await store_thread.do(lambda: store.create(models.remembered))
                workshop = cls(configuration, store, models, threads=threads, is_running=is_running)
                await workshop._pool.start()
                undo.pop_all()
        return workshop

    async def prepare(self, page: Page) -> Prepared | None:
        """Convert and chunk a page in a worker; None where the crawl was interrupted.

        Raises:
            ConversionError: the page cannot be converted, or its worker died of it.
        """
        async with self._turns:
            return await self._unless_stopped(self._pool.run(page))

    async def save_pictures(self, document_id: str, pictures: Sequence[Picture]) -> None:
        """Write the images of a document to `images/<document id>/`, where its Markdown says they are.

        Raises:
            OSError: they cannot be written.
        """
        if pictures:
            await asyncio.to_thread(_save, self._output / picture_folder(document_id), pictures)

    async def chunk(self, document: Document) -> Prepared:
        """Cut a document that came without chunks."""
        return await asyncio.to_thread(self._preparation.prepared, document)

    async def known(self, document_id: str) -> dict[str, str]:
        """Chunk id to embed hash, of what the store has of a document."""
        return dict(await self._store_thread.do(lambda: self._store.embed_hashes(document_id)))

    async def embed(self, chunks: Sequence[SemanticChunk]) -> ChunkVectors:
        """What came of each chunk: its vectors, an error, or nothing where the crawl was interrupted."""
        return await self._vectors.make(chunks)

    async def write(self, work: Synchronised) -> int:
        """Bring the store in step with a document; the number of its chunks that are stored.

        Raises:
            StoreError: it could not be written.
        """
        (result,) = await self._writing.submit([work])
        if isinstance(result, BaseException):
            raise result
        return result or 0

    async def close(self) -> int:
        """End the workers and close the store; the number of points in the collection.

        The index is rebuilt after a whole crawl alone: that may take a minute in which no Ctrl-C is seen.
        """
        await self._pool.close()
        try:
            return await self._store_thread.do(self._finish)
        finally:
            await self._vectors.close()
            self._store_thread.close()
            self._model_thread.close()

    def _finish(self) -> int:
        try:
            if self._is_running():
                self._store.optimize()
            return self._store.count()
        finally:
            self._store.close()

    async def _unless_stopped(self, work: Awaitable[Result]) -> Result | None:
        task = asyncio.ensure_future(work)
        while not task.done() and self._is_running():
            await asyncio.wait({task}, timeout=_LOOK_SECONDS)
        if not task.done():
            task.cancel()
            return None
        return task.result()


def _save(folder: Path, pictures: Sequence[Picture]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for picture in pictures:
        # A name comes from a document: its last part alone is used.
        (folder / Path(picture.name).name).write_bytes(picture.data)

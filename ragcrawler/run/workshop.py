"""The heavy parts of a crawl, each behind its own bounded executor."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from ragcrawler.bootstrap.configuration import Configuration
from ragcrawler.bootstrap.models import Models, open_models
from ragcrawler.bootstrap.preparation import Preparation, Prepared
from ragcrawler.bootstrap.start_error import StartError, start_errors
from ragcrawler.conversion.converted import Picture
from ragcrawler.conversion.isolation import WorkerLimits, WorkerPool
from ragcrawler.items import Document, Page, SemanticChunk, Vectors
from ragcrawler.run.batcher import Batcher
from ragcrawler.run.synchronise import Synchronised, synchronise
from ragcrawler.stores import ChunkStore, CollectionModels, open_store

logger = logging.getLogger(__name__)

Result = TypeVar("Result")

_DOCUMENTS_A_WRITE = 16
_LOOK_SECONDS = 0.25
# Imported once before the workers fork. docling is not among them: most sites have nothing for it to do.
_PRELOADED = ("ragcrawler.bootstrap.preparation", "trafilatura", "html_to_markdown", "lxml.html")


class Workshop:
    """Worker processes for conversion and chunking, one thread for the models, one for the store.

    Models and stores are not thread-safe, and a model on two threads is slower than on one: so each has one
    thread, and what pages ask for while it works is done together in its next turn.

    Args:
        configuration: of all parts.
        is_running: says no once the crawl was interrupted; what was not begun by then is given back undone.
    """

    def __init__(self, configuration: Configuration, *, is_running: Callable[[], bool]) -> None:
        self._configuration = configuration
        self._is_running = is_running
        self._opening = asyncio.Lock()
        self._is_closed = False
        self._model_thread = ThreadPoolExecutor(1, thread_name_prefix="models")
        self._store_thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._turns = asyncio.Semaphore(configuration.workers)
        self._store: ChunkStore | None = None
        self._models: Models | None = None
        self._preparation: Preparation | None = None
        self._pool: WorkerPool[Page, Prepared] | None = None
        self._embedding: Batcher[SemanticChunk, Vectors] | None = None
        self._writing: Batcher[Synchronised, int] | None = None
        self.points: int | None = None  # in the whole collection, counted when the store is closed

    @property
    def collection_models(self) -> CollectionModels | None:
        """What the collection remembers; None until it is open."""
        return self._models.remembered if self._models else None

    async def open(self) -> None:
        """Open store, models and workers; a second call waits for the first.

        Raises:
            StartError: one of them cannot be had; says which, why and what to do.
        """
        async with self._opening:
            if self._pool is not None or self._is_closed:
                return
            with start_errors():
                await self._open()

    async def _open(self) -> None:
        configuration = self._configuration
        store = await self._in(self._store_thread, lambda: open_store(configuration.store))
        self._store = store
        remembered = await self._in(self._store_thread, store.models)
        models = await self._in(self._model_thread, lambda: open_models(configuration, remembered))
        self._models = models
        await self._in(self._store_thread, lambda: store.create(models.remembered))
        self._embedding = Batcher(
            models.embed, self._model_thread, max_items=configuration.flush_texts, is_running=self._is_running
        )
        self._writing = Batcher(
            lambda documents: synchronise(store, documents),
            self._store_thread,
            max_items=_DOCUMENTS_A_WRITE,
            is_running=lambda: True,  # what is embedded is stored, whatever happens
        )
        self._preparation = models.preparation(configuration)
        self._pool = WorkerPool(
            self._preparation,
            limits=WorkerLimits(
                job_seconds=configuration.worker_seconds, memory_bytes=configuration.worker_bytes
            ),
            workers=configuration.workers,
            preload=_PRELOADED,
        )
        await self._pool.start()

    async def prepare(self, page: Page) -> Prepared | None:
        """Convert and chunk a page in a worker; None where the crawl was interrupted.

        Raises:
            ConversionError: the page cannot be converted, or its worker died of it.
        """
        assert self._pool is not None
        async with self._turns:
            return await self._unless_stopped(self._pool.run(page))

    async def save_pictures(self, document_id: str, pictures: Sequence[Picture]) -> None:
        """Write the images of a document to `images/<document id>/`, where its Markdown says they are.

        Raises:
            OSError: they cannot be written.
        """
        if pictures:
            folder = self._configuration.output_folder / "images" / document_id
            await asyncio.to_thread(_save, folder, pictures)

    async def chunk(self, document: Document) -> tuple[SemanticChunk, ...]:
        """Cut a document that came without chunks."""
        assert self._preparation is not None
        return await asyncio.to_thread(self._preparation.chunks, document)

    async def known(self, document_id: str) -> dict[str, str]:
        """Chunk id to embed hash, of what the store has of a document."""
        store = self._store
        assert store is not None
        return dict(await self._in(self._store_thread, lambda: store.embed_hashes(document_id)))

    async def embed(self, chunks: Sequence[SemanticChunk]) -> list[Vectors | BaseException | None]:
        """One entry a chunk: its vectors, the error it caused, or None where the crawl was interrupted."""
        assert self._embedding is not None
        return await self._embedding.submit(chunks)

    async def write(self, work: Synchronised) -> int:
        """Bring the store in step with a document; the number of its chunks that are stored.

        Raises:
            StoreError: it could not be written.
        """
        assert self._writing is not None
        (result,) = await self._writing.submit([work])
        if isinstance(result, BaseException):
            raise result
        return result or 0

    async def close(self) -> None:
        """Close all parts; a second call does nothing, an error in one part does not keep another open."""
        async with self._opening:
            if self._is_closed:
                return
            self._is_closed = True
            if self._pool is not None:
                await self._pool.close()
            try:
                if self._store is not None:
                    await self._in(self._store_thread, self._close_store)
            finally:
                self._model_thread.shutdown(wait=False)
                self._store_thread.shutdown(wait=False)

    def _close_store(self) -> None:
        assert self._store is not None
        try:
            if self._models is not None:
                self.points = self._store.count()
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

    async def _in(self, thread: ThreadPoolExecutor, call: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(thread, call)


def _save(folder: Path, pictures: Sequence[Picture]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for picture in pictures:
        # A name comes from a document: its last part alone is used.
        (folder / Path(picture.name).name).write_bytes(picture.data)

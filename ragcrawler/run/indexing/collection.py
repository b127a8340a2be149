"""The collection that a crawl fills: its store and its catalogue, on a thread of their own."""

from collections.abc import Callable
from typing import TypeVar

from ragcrawler.catalogue import (
    NO_WRITER,
    DocumentCatalogue,
    DocumentRecord,
    Revisit,
    WriterLease,
    page_hash,
)
from ragcrawler.frontier.filters.kept_out import KeptOut
from ragcrawler.items import Document, Page
from ragcrawler.run.execution.batcher import Batcher
from ragcrawler.run.execution.single_thread_executor import SingleThreadExecutor
from ragcrawler.run.execution.store_retry import StoreRetry
from ragcrawler.run.indexing.shared_store import SharedStore
from ragcrawler.run.indexing.synchronise import DocumentWrite, WriteResult, synchronise
from ragcrawler.run.indexing.visits import Visits
from ragcrawler.run.reporting.stage_times import StageTimes
from ragcrawler.stores import ChunkStore, StoreError

Result = TypeVar("Result")

_DOCUMENTS_A_WRITE = 16


class Collection:
    """Runs operations on store and catalogue one after another: neither of the two is thread-safe.

    Args:
        store: open.
        catalogue: made on the same thread.
        thread: that owns both.
        retry: with a store that is away.
        times: where writing enters its own; not kept unless given.
        visits: dates the pages that are read; not dated unless given.
        is_dry: only say what would be written.

    Attributes:
        shared_store: reads the store for other threads.
    """

    def __init__(  # noqa: PLR0913 - the parts of a collection, which live as long as it does
        self,
        store: ChunkStore,
        catalogue: DocumentCatalogue,
        thread: SingleThreadExecutor,
        *,
        retry: StoreRetry,
        times: StageTimes | None = None,
        visits: Visits | None = None,
        is_dry: bool = False,
    ) -> None:
        self._store = store
        self._catalogue = catalogue
        self._thread = thread
        self._retry = retry
        self._times = times or StageTimes()
        self._visits = visits
        self.is_dry = is_dry
        self.shared_store = SharedStore(store, thread)
        self._kept_out: tuple[tuple[int, int], KeptOut] = ((0, 0), KeptOut())
        # Bad chunks are left out one by one: a store error means that the store is away or full.
        self._writing = Batcher[DocumentWrite, WriteResult](
            self._write_all, thread.executor, max_items=_DOCUMENTS_A_WRITE, common_error=StoreError
        )

    async def with_catalogue(self, question: Callable[[DocumentCatalogue], Result]) -> Result:
        """Call a function with the catalogue, on its thread; the function may write.

        Raises:
            CatalogueError: it cannot be read or written.
        """
        return await self._thread.do(lambda: question(self._catalogue))

    async def kept_out(self) -> KeptOut:
        """What the collection keeps out at the moment: somebody may remove pages while a crawl goes on.

        Raises:
            CatalogueError: it cannot be read.
        """
        return await self._thread.do(self._read_kept_out)

    async def with_store(self, question: Callable[[ChunkStore, DocumentCatalogue], Result]) -> Result:
        """Call a function with store and catalogue, on their thread; it is repeated while the store is away.

        Raises:
            StoreError: the store cannot answer.
            CatalogueError: the catalogue cannot be read or written.
        """
        return await self._thread.do(lambda: self._retry.do(question, self._store, self._catalogue))

    async def embed_hashes(self, document_id: str) -> dict[str, str]:
        """Chunk id to embed hash, of the vectors that the store surely has of a document.

        Of one that was being written when a crawl ended it has none: a power cut may have taken any of them.

        Raises:
            StoreError: the store cannot be asked.
            CatalogueError: the catalogue cannot be read.
        """

        def look(store: ChunkStore, catalogue: DocumentCatalogue) -> dict[str, str]:
            record = catalogue.get(document_id)
            if not store.models() or (record is not None and record.is_unfinished):
                return {}
            return dict(store.embed_hashes(document_id))

        return await self.with_store(look)

    async def find_unchanged(self, page: Page, preparation: str) -> DocumentRecord | None:
        """The record of a page that is stored whole, just as it came now and would be prepared now.

        One whose Markdown the catalogue does not have (an older version wrote it) has to be read again.

        Raises:
            StoreError: the store cannot be asked.
            CatalogueError: the catalogue cannot be read.
        """

        def look(store: ChunkStore, catalogue: DocumentCatalogue) -> DocumentRecord | None:
            record = catalogue.get(page.id)
            if record is None or record.page_hash != page_hash(page.body, page.content_type, page.facts):
                return None
            is_known = catalogue.has_markdown(record) and is_whole(store, record, preparation)
            return record if is_known else None

        return await self.with_store(look)

    async def document(self, document_id: str) -> Document | None:
        """A document as it is stored, with its chunks; None where its Markdown is not known.

        Raises:
            CatalogueError: the catalogue cannot be read.
        """

        def look(catalogue: DocumentCatalogue) -> Document | None:
            record = catalogue.get(document_id)
            return catalogue.document(record) if record is not None else None

        return await self.with_catalogue(look)

    async def is_whole(self, record: DocumentRecord, preparation: str) -> bool:
        """Whether a page need not be read again unless it changed.

        Raises:
            StoreError: the store cannot be asked.
        """
        return await self.with_store(lambda store, _: is_whole(store, record, preparation))

    async def mark_seen(
        self,
        record: DocumentRecord,
        run: str,
        *,
        etag: str = "",
        last_modified: str = "",
        writer: WriterLease = NO_WRITER,
    ) -> bool:
        """Enter that the page of a record is there, and as it was; a dry run enters nothing.

        Returns:
            False where another worker has the page by now, or writes it at this moment.

        Raises:
            CatalogueError: the catalogue cannot be written.
        """
        revisit = self._visits.of_unchanged(record) if self._visits else Revisit.of(record)
        return self.is_dry or await self.with_catalogue(
            lambda catalogue: catalogue.mark_seen(
                record.document_id, run, revisit, etag=etag, last_modified=last_modified, writer=writer
            )
        )

    async def write(self, work: DocumentWrite) -> WriteResult:
        """Bring store and catalogue in step with a document, together with others that wait.

        Raises:
            StoreError: nothing of it could be written, or not all.
            CatalogueError: the catalogue could not be written.
        """
        return await self._writing.submit(work)

    async def close(self, *, optimize: bool) -> int:
        """Close both; the number of points in the collection.

        Raises:
            StoreError: the store could not be closed in order.
        """
        return await self._thread.do(lambda: self._finish(optimize=optimize))

    def _write_all(self, documents: list[DocumentWrite]) -> list[WriteResult]:
        """Write what is not kept out: that may have changed since the pages were read."""
        kept_out = self._read_kept_out()
        wanted = [each for each in documents if not _is_kept_out(kept_out, each)]
        with self._times.measure("upsert", len(documents)):
            written = self._retry.do(
                synchronise,
                *(self._store, self._catalogue, wanted),
                visits=self._visits,
                is_dry=self.is_dry,
            )
        results = iter(written)
        return [
            WriteResult(0, 0, 0, 0, is_kept_out=True) if _is_kept_out(kept_out, each) else next(results)
            for each in documents
        ]

    def _read_kept_out(self) -> KeptOut:
        version = self._catalogue.kept_out_version()
        if version != self._kept_out[0]:
            self._kept_out = version, KeptOut(self._catalogue.kept_out())
        return self._kept_out[1]

    def _finish(self, *, optimize: bool) -> int:
        try:
            if not self._store.models():
                return 0
            if optimize and not self.is_dry:
                self._store.optimize()
            return self._store.count()
        finally:
            try:
                self._store.close()  # flushes it, and so goes before the catalogue
            finally:
                self._catalogue.close()


def _is_kept_out(kept_out: KeptOut, work: DocumentWrite) -> bool:
    return kept_out.covers(work.record.url) or kept_out.covers_text(work.record.content_hash)


def is_whole(store: ChunkStore, record: DocumentRecord, preparation: str) -> bool:
    """Whether the store has all chunks of a document and no other, made as they would be made now."""
    if record.is_unfinished or not record.page_hash or record.preparation != preparation:
        return False
    expected = {known.id: known.embed_hash for known in record.chunks}
    return bool(expected) and dict(store.embed_hashes(record.document_id)) == expected

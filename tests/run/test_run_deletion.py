"""When documents that are gone are deleted, and in which order."""

import asyncio
from collections.abc import Sequence

import pytest

from ragcrawler.catalogue import DocumentRecord, Refused, SqliteCatalogue
from ragcrawler.config.crawling.upkeep import UpkeepConfig
from ragcrawler.items import SemanticChunk, SparseVector, Vectors
from ragcrawler.run.crawl_coverage import CrawlCoverage
from ragcrawler.run.execution.single_thread_executor import SingleThreadExecutor
from ragcrawler.run.execution.store_retry import StoreRetry
from ragcrawler.run.indexing.collection import Collection
from ragcrawler.run.indexing.deletion import SiteDeletion, delete_documents, delete_gone
from ragcrawler.run.indexing.synchronise import DocumentWrite, synchronise
from ragcrawler.stores import CollectionModels
from ragcrawler.stores.memory.store import MemoryStore

SITE = "a.example"


class Disk(MemoryStore):
    """A store that also knows what a power cut would leave of it: what it had at its last flush."""

    def __init__(self) -> None:
        super().__init__()
        self.create(CollectionModels("tiny", 2, "tiny-sparse"))
        self.durable: set[str] = set()

    def flush(self) -> None:
        super().flush()
        self.durable = {chunk.document_id for chunk in self.scroll()}


class Watching(SqliteCatalogue):
    """Notes which documents a power cut would have left in the store when the catalogue learns of them."""

    def __init__(self, store: Disk) -> None:
        super().__init__(None)
        self._store = store
        self.stored: set[str] = set()
        self.forgotten: set[str] = set()

    def put(self, records: Sequence[DocumentRecord], *others: object) -> Refused:
        self.stored = self._store.durable & {record.document_id for record in records}
        return super().put(records, *others)  # type: ignore[arg-type]

    def remove(self, document_ids: Sequence[str]) -> None:
        self.forgotten = self._store.durable & set(document_ids)
        super().remove(document_ids)


def work(number: int) -> DocumentWrite:
    name = f"d{number}"
    chunk = SemanticChunk(
        id=f"{number:08x}-0000-0000-0000-000000000000",
        chunk_id=f"{name}_chunk_0",
        document_id=name,
        content=name,
        content_hash=name,
        token_count=1,
        embed_text=name,
        start=0,
        end=2,
        position=0,
        embed_hash=name,
        vectors=Vectors((1.0, 0.0), SparseVector((1,), (1.0,))),
    )
    return DocumentWrite(DocumentRecord(name, f"https://{SITE}/{name}", SITE, "page", name, "p"), (chunk,))


def test_the_store_has_on_disk_what_the_catalogue_says_that_it_has() -> None:
    store = Disk()
    with Watching(store) as catalogue:
        synchronise(store, catalogue, [work(1), work(2)])
        assert catalogue.stored == {"d1", "d2"}


def test_points_are_off_the_disk_before_the_catalogue_forgets_their_document() -> None:
    store = Disk()
    with Watching(store) as catalogue:
        synchronise(store, catalogue, [work(1), work(2)])
        assert delete_documents(store, catalogue, ["d1"]) == 1
        assert (catalogue.forgotten, store.durable) == (set(), {"d2"})
        assert [record.document_id for record in catalogue.documents()] == ["d2"]


@pytest.mark.parametrize(
    ("gone", "is_forced", "is_braked", "left"),
    [(1, False, False, 9), (2, False, False, 8), (3, False, True, 10), (3, True, False, 7)],
)
def test_just_as_many_as_the_brake_allows_are_deleted(
    gone: int, is_forced: bool, is_braked: bool, left: int
) -> None:
    missing = {f"https://{SITE}/d{number}" for number in range(gone)}
    coverage = CrawlCoverage(
        contains=lambda url: True,
        status=lambda url: ("skipped", "http_404") if url in missing else ("fetched", ""),
        is_full=True,
    )
    config = UpkeepConfig(gone_after=1, brake_percent=20.0)

    async def crawl() -> tuple[list[SiteDeletion], int]:
        thread, store = SingleThreadExecutor("store"), MemoryStore()
        store.create(CollectionModels("tiny", 2, "tiny-sparse"))
        catalogue = await thread.do(lambda: SqliteCatalogue(None))
        collection = Collection(store, catalogue, thread, retry=StoreRetry(0, lambda: True))
        await collection.with_store(lambda *both: synchronise(*both, [work(number) for number in range(10)]))
        deletions = await delete_gone(collection, coverage, config, is_forced=is_forced)
        points = await collection.close(optimize=False)
        thread.close()
        return deletions, points

    (deletion,), points = asyncio.run(crawl())
    assert (deletion.is_braked, len(deletion.due), points) == (is_braked, gone, left)

"""The result of each stage for a page: the next value, a skip, or a loss with its reason."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem
from scrapy.statscollectors import MemoryStatsCollector

from ragcrawler.catalogue import SqliteCatalogue
from ragcrawler.config.defaults import project_settings
from ragcrawler.conversion import ConversionError
from ragcrawler.embedding.cache.vector_cache import NoVectorCache
from ragcrawler.extensions.outcomes import OutcomesExtension
from ragcrawler.items import Document, Page, SemanticChunk, SparseVector, Vectors
from ragcrawler.pipelines.chunk import ChunkPipeline
from ragcrawler.pipelines.convert import ConvertPipeline
from ragcrawler.pipelines.embed import EmbedPipeline
from ragcrawler.pipelines.embedded import Embedded
from ragcrawler.pipelines.stage import Stage
from ragcrawler.pipelines.upsert import UpsertPipeline
from ragcrawler.run.execution.single_thread_executor import SingleThreadExecutor
from ragcrawler.run.execution.store_retry import StoreRetry
from ragcrawler.run.indexing.chunk_embedder import ChunkVectors
from ragcrawler.run.indexing.collection import Collection
from ragcrawler.run.indexing.site_blocks import SiteBlocks
from ragcrawler.run.outcomes import PageFailed, PageSkipped
from ragcrawler.run.saved_crawls.saved_crawl import SavedCrawl
from ragcrawler.stores import CollectionModels, DiskFullError, StoreAwayError, StoreError
from ragcrawler.stores.memory.store import MemoryStore

VECTORS = Vectors((1.0, 0.0), SparseVector((1,), (1.0,)))
URL = "https://a.example/d"
DOCUMENT = Document(
    id="d", url=URL, title="D", language="en", markdown="# D", content_hash="c", fetched_at=""
)
PAGE = Page(id="d", url=URL, final_url=URL, body=b"x", content_type="text/html", status=200, fetched_at="")


class Plain(Spider):
    name = "plain"


class RefusingStore(MemoryStore):
    """Raises what it is told to, for chunks that say so."""

    error: StoreError = StoreError("refused")

    def upsert(self, chunks: Sequence[SemanticChunk]) -> None:
        if any(chunk.content == "refused" for chunk in chunks):
            raise self.error
        super().upsert(chunks)


@dataclass
class Resources:
    """A real collection in memory; workers and models that answer as they are told."""

    collection: Collection
    answer: Any = None
    outcomes: dict[str, Any] = field(default_factory=dict)
    preparation: str = "p"
    summarizer: None = None

    async def prepare(self, page: Page | Document) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    async def chunk(self, document: Document, shared_blocks: frozenset[str]) -> Any:
        assert shared_blocks == frozenset()
        return await self.prepare(document)

    @property
    def site_blocks(self) -> SiteBlocks:
        return SiteBlocks(self, 0.5, lambda: True)

    async def embed(self, chunks: Sequence[SemanticChunk]) -> ChunkVectors:
        return ChunkVectors(
            tuple(self.outcomes.get(chunk.content, VECTORS) for chunk in chunks), 0, NoVectorCache()
        )


@pytest.fixture
def store() -> RefusingStore:
    made = RefusingStore()
    made.create(CollectionModels("tiny", 2, "tiny-sparse"))
    return made


@pytest.fixture
def resources(store: RefusingStore) -> Iterator[Resources]:
    thread = SingleThreadExecutor("store")
    catalogue = thread.executor.submit(SqliteCatalogue, None).result()
    yield Resources(Collection(store, catalogue, thread, retry=StoreRetry(0, lambda: True)))
    thread.executor.submit(catalogue.close).result()
    thread.close()


@pytest.fixture
def crawler(tmp_path: Path) -> Crawler:
    made = Crawler(Plain, dict(project_settings(OUTPUT_DIR=str(tmp_path))))
    made.spider = Plain()
    made.stats = MemoryStatsCollector(made)
    made.crawling = True
    return made


def stage(kind: type[Stage], crawler: Crawler, resources: Resources) -> Any:
    return type("Tested", (kind,), {"resources": resources})(crawler)


def chunk(content: str) -> SemanticChunk:
    return SemanticChunk(
        id=f"00000000-0000-0000-0000-{crc32(content.encode()):012d}",
        chunk_id=content,
        document_id="d",
        content=content,
        content_hash=content,
        token_count=1,
        embed_text=content,
        start=0,
        end=1,
        position=0,
        embed_hash=content,
        vectors=VECTORS,
    )


def document(*contents: str) -> Document:
    return replace(DOCUMENT, chunks=tuple(map(chunk, contents)))


async def ending(work: Any) -> tuple[str, str]:
    """How the page ended: "skipped" or "failed", and for which reason."""
    with pytest.raises(DropItem) as raised:
        await work
    error = raised.value
    assert isinstance(error, PageSkipped | PageFailed)
    return ("skipped" if isinstance(error, PageSkipped) else "failed"), error.reason


def counts(crawler: Crawler, prefix: str) -> dict[str, int]:
    prefix = f"ragcrawler/{prefix}/"
    stats = crawler.stats.get_stats().items()  # type: ignore[union-attr]
    return {name.removeprefix(prefix): count for name, count in stats if name.startswith(prefix) and count}


@pytest.mark.parametrize(
    ("answer", "end"),
    [
        (ConversionError("empty", "no text"), ("skipped", "empty")),
        (ConversionError("unsupported_type", "a picture"), ("skipped", "unsupported_type")),
        (ConversionError("too_large", "a book"), ("failed", "too_large")),
        (ConversionError("worker_died", "of it"), ("failed", "worker_died")),
        (RuntimeError("a fault of ours"), ("failed", "conversion_error")),
        (None, ("skipped", "shutdown")),
    ],
)
async def test_a_page_that_cannot_be_converted_is_skipped_or_lost(
    crawler: Crawler, resources: Resources, answer: Any, end: tuple[str, str]
) -> None:
    resources.answer = answer
    assert await ending(stage(ConvertPipeline, crawler, resources).process_item(PAGE)) == end


async def test_after_an_interruption_no_page_is_begun(crawler: Crawler, resources: Resources) -> None:
    crawler.crawling = False
    resources.answer = AssertionError("a worker was asked")
    convert = stage(ConvertPipeline, crawler, resources)
    assert await ending(convert.process_item(PAGE)) == ("skipped", "shutdown")
    cut = stage(ChunkPipeline, crawler, resources)
    assert await ending(cut.process_item(document())) == ("skipped", "shutdown")


@pytest.mark.parametrize("item", [{"price": 3}, {"url": URL}, "text", None])
async def test_what_is_no_page_goes_through_every_stage_untouched(
    crawler: Crawler, resources: Resources, item: Any
) -> None:
    for kind in (ConvertPipeline, ChunkPipeline, EmbedPipeline, UpsertPipeline):
        assert await stage(kind, crawler, resources).process_item(item) is item


async def test_a_page_with_no_usable_address_is_counted_and_not_indexed(
    crawler: Crawler, resources: Resources
) -> None:
    item = {"url": "mailto:me@a.example", "body": "text"}
    assert await stage(ConvertPipeline, crawler, resources).process_item(item) is item
    assert counts(crawler, "foreign") == {"unusable": 1}


@pytest.mark.parametrize(
    ("answer", "end"),
    [
        (ConversionError("too_many_chunks", "a bomb"), ("failed", "too_many_chunks")),
        (RuntimeError("a fault of ours"), ("failed", "chunk_error")),
    ],
)
async def test_a_document_that_cannot_be_cut_is_lost(
    crawler: Crawler, resources: Resources, answer: Any, end: tuple[str, str]
) -> None:
    resources.answer = answer
    assert await ending(stage(ChunkPipeline, crawler, resources).process_item(document())) == end


async def test_only_what_the_store_lacks_is_embedded(
    crawler: Crawler, resources: Resources, store: RefusingStore
) -> None:
    store.upsert([chunk("old")])
    embedded = await stage(EmbedPipeline, crawler, resources).process_item(document("old", "new"))
    assert counts(crawler, "embed") == {"unchanged": 1, "texts": 1}
    assert embedded.lost == frozenset()


@pytest.mark.parametrize(("outcome", "error"), [(None, None), (ValueError("cats"), "cats")])
async def test_a_chunk_without_vectors_is_lost_and_the_others_go_on(
    crawler: Crawler, resources: Resources, outcome: Any, error: str | None
) -> None:
    resources.outcomes = {"cat": outcome}
    embedded = await stage(EmbedPipeline, crawler, resources).process_item(document("cat", "dog"))
    assert embedded.lost == {chunk("cat").id}
    assert (str(embedded.error) if embedded.error else None) == error
    assert counts(crawler, "embed") == {"lost": 1, "texts": 1}


async def test_a_document_is_new_then_unchanged_then_changed(crawler: Crawler, resources: Resources) -> None:
    upsert = stage(UpsertPipeline, crawler, resources)
    states = [
        (await upsert.process_item(Embedded(document(*contents)))).state
        for contents in (("a", "b"), ("a", "b"), ("a", "c"))
    ]
    assert states == ["new", "unchanged", "changed"]
    assert counts(crawler, "upsert") == {"points": 6, "new": 3, "unchanged": 3, "removed": 1}
    assert counts(crawler, "documents") == {"new": 1, "same_text": 1, "changed": 1}


@pytest.mark.parametrize(
    ("item", "end", "stage_name"),
    [
        (Embedded(document("a", "b"), frozenset([chunk("b").id])), ("skipped", "shutdown"), ""),
        (
            Embedded(document("a", "b"), frozenset([chunk("b").id]), ValueError()),
            ("failed", "embed_error"),
            "embed",
        ),
        (Embedded(document("a", "refused")), ("failed", "chunk_refused"), "upsert"),
    ],
)
async def test_a_document_of_which_a_part_is_missing_is_stored_so_far(
    crawler: Crawler, resources: Resources, store: RefusingStore, item: Any, end: Any, stage_name: str
) -> None:
    with pytest.raises(DropItem) as raised:
        await stage(UpsertPipeline, crawler, resources).process_item(item)
    assert ("failed" if isinstance(raised.value, PageFailed) else "skipped", raised.value.reason) == end  # type: ignore[attr-defined]
    assert getattr(raised.value, "stage", "") == stage_name
    assert counts(crawler, "documents") == {}
    assert [each.content for each in store.scroll()] == ["a"]


async def test_a_page_that_stays_open_counts_only_in_the_run_that_ends_it(
    crawler: Crawler, resources: Resources
) -> None:
    outcomes, upsert = OutcomesExtension(crawler), stage(UpsertPipeline, crawler, resources)
    part = Embedded(document("a", "b"), frozenset([chunk("b").id]))
    with pytest.raises(PageSkipped) as interrupted:
        await upsert.process_item(part)
    assert counts(crawler, "upsert") == {"points": 1, "new": 1}
    outcomes.item_dropped(PAGE, interrupted.value)
    assert counts(crawler, "upsert") == {"unfinished": 1}
    assert outcomes.run.activity.series.counts["chunks"] == []
    whole = await upsert.process_item(Embedded(document("a", "b")))
    outcomes.item_scraped(whole)
    assert counts(crawler, "upsert") == {"unfinished": 1, "points": 2, "new": 1, "updated": 1}
    assert sum(outcomes.run.activity.series.counts["chunks"]) == 2


async def test_what_an_earlier_run_of_the_crawl_stored_is_new_to_the_crawl(
    crawler: Crawler, resources: Resources, tmp_path: Path
) -> None:
    """The earlier run was killed before it entered the page as done: the page is read once more."""
    upsert = stage(UpsertPipeline, crawler, resources)
    first = await upsert.process_item(Embedded(document("a")))
    upsert.run.saved_crawl = saved = SavedCrawl(tmp_path / "crawl.sqlite")
    saved.runs = (upsert.run.id,)
    again = await upsert.process_item(Embedded(document("a")))
    saved.end(is_over=True)
    assert (first.state, again.state) == ("new", "new")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (DiskFullError("no room"), "disk_full"),
        (StoreAwayError("no answer"), "store_error"),
        (StoreError("a wrong chunk"), "chunk_refused"),
    ],
)
async def test_what_the_store_does_not_take_is_lost_with_the_reason(
    crawler: Crawler, resources: Resources, store: RefusingStore, error: StoreError, reason: str
) -> None:
    store.error = error
    upsert = stage(UpsertPipeline, crawler, resources)
    assert await ending(upsert.process_item(Embedded(document("refused")))) == ("failed", reason)

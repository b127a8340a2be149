"""Boilerplate of a site: a crawl that was killed while it mended documents, and sites that others read."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest

from ragcrawler.catalogue import SqliteCatalogue
from ragcrawler.chunking import block_counts, leave_out
from ragcrawler.chunking.parsing.markdown_blocks import list_markdown_blocks
from ragcrawler.items import Document, SparseVector, Vectors
from ragcrawler.run.execution.single_thread_executor import SingleThreadExecutor
from ragcrawler.run.execution.store_retry import StoreRetry
from ragcrawler.run.indexing.collection import Collection
from ragcrawler.run.indexing.site_blocks import Settled, SiteBlocks
from ragcrawler.run.indexing.synchronise import DocumentWrite
from ragcrawler.stores import CollectionModels
from ragcrawler.stores.memory.store import MemoryStore
from tests.catalogue.records import chunk, document, record

BANNER = "You read the handbook of an old release that is no longer supported."
(BLOCK,) = list_markdown_blocks(BANNER)
SITE = "a.example"
PAGES = 6
VECTORS = Vectors((1.0, 0.0), SparseVector((1,), (1.0,)))


class Killed(BaseException):
    """Ends a process in the middle of its work."""


@dataclass
class Resources:
    """A collection, and a chunker that makes one chunk of a text; it is killed after so many documents."""

    collection: Collection
    survives: int = 1_000
    asked: list[str] = field(default_factory=list)
    summarizer: None = None

    async def chunk(self, page: Document, shared: frozenset[str]) -> Any:
        if len(self.asked) >= self.survives:
            raise Killed
        self.asked.append(page.id)
        return SimpleNamespace(document=cut(page, shared))

    async def embed(self, chunks: Sequence[Any]) -> Any:
        return SimpleNamespace(outcomes=[VECTORS] * len(chunks))

    async def contents(self) -> list[str]:
        thread, store = self.collection._thread, self.collection._store
        return await thread.do(lambda: [each.content for each in store.scroll()])

    async def shared(self) -> dict[str, str]:
        return dict(await self.collection.with_catalogue(lambda catalogue: catalogue.shared_blocks(SITE)))


def cut(page: Document, shared: frozenset[str] = frozenset()) -> Document:
    text = leave_out(page.markdown, shared).text
    name = str(uuid5(NAMESPACE_URL, f"{page.id} {text}"))
    made = chunk(id=name, document_id=page.id, content=text, embed_hash=name, vectors=VECTORS)
    return replace(page, chunks=(made,))


async def put(resources: Resources, run: str, pages: int = PAGES) -> None:
    """Store pages as a crawl without knowledge of their site does."""
    for number in range(pages):
        url, text = f"https://{SITE}/{number}", f"# Valve {number}\n\n{BANNER}\n\nValve {number} closes."
        names = {"content_hash": f"content {number}", "page_hash": f"page {number}"}
        page = cut(document(id=f"d{number:04}", url=url, markdown=text, **names))
        known = record(number, url=url, last_seen=run, chunks=())
        await resources.collection.write(DocumentWrite(known, page.chunks, document=page))


@pytest.fixture
async def resources(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Resources]:
    monkeypatch.setattr(block_counts, "_LEAST_PAGES", 4)
    thread = SingleThreadExecutor("store")
    catalogue = await thread.do(lambda: SqliteCatalogue(None))
    store = MemoryStore()
    store.create(CollectionModels("tiny", 2, "tiny-sparse"))
    yield Resources(Collection(store, catalogue, thread, retry=StoreRetry(0, lambda: True)))
    await thread.do(catalogue.close)
    thread.close()


def blocks_of(resources: Any) -> SiteBlocks:
    return SiteBlocks(resources, 0.5, lambda: True)


@pytest.mark.parametrize("survives", range(PAGES - 1))
async def test_the_run_after_a_kill_mends_what_is_left(resources: Resources, survives: int) -> None:
    await put(resources, "run 1")
    killed = replace(resources, survives=survives, asked=[])
    with pytest.raises(Killed):
        await blocks_of(killed).settle(("run 1",))
    assert (await resources.shared())[BLOCK.hash] == ""
    # Pages that the next crawl reads meanwhile are cut without the block, whoever would keep it.
    assert BLOCK.hash in await blocks_of(resources).of("d0000", f"https://{SITE}/0")

    settled = await blocks_of(resources).settle(("run 2",))
    assert settled.failed == 0
    assert [BANNER in content for content in await resources.contents()].count(True) == 1
    assert await resources.shared() == {BLOCK.hash: "d0000"}


async def test_sites_that_this_crawl_did_not_read_are_not_counted_again(resources: Resources) -> None:
    await put(resources, "run 1")
    assert await blocks_of(resources).settle(("run 2", "run 3")) == Settled()
    assert await blocks_of(resources).settle(("run 1",)) == Settled(1, PAGES - 1)
    resources.asked.clear()
    assert await blocks_of(resources).settle(("run 1",)) == Settled(1)
    assert resources.asked == []

"""Which of several equal pages is stored, by several workers with one catalogue."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

import pytest

from ragcrawler.catalogue.postgres.catalogue import PostgresCatalogue
from ragcrawler.config.crawling.duplicates import DuplicatesConfig
from ragcrawler.frontier.states.sqlite import SqliteState
from ragcrawler.items import Document
from ragcrawler.postgres.address import PostgresAddress
from ragcrawler.run.execution.single_thread_executor import SingleThreadExecutor
from ragcrawler.run.execution.store_retry import StoreRetry
from ragcrawler.run.indexing.collection import Collection
from ragcrawler.run.indexing.duplicates import Duplicates, Original
from ragcrawler.stores import StoreConfig, open_store
from tests.catalogue.records import document, record

FACTS = "f" * 16
WORKERS = 3


def page(number: int, **changes: Any) -> Document:
    fields = {"content_hash": "text", "near_hash": FACTS + "00" * 128}
    return document(id=f"d{number:04}", url=f"https://a.example/{number}", **(fields | changes))


class Crawl:
    """Workers that share a catalogue and the notes of a frontier; each has a collection of its own here."""

    def __init__(self, collections: list[Collection]) -> None:
        self._collections = collections
        self._state = SqliteState()
        self.fates: dict[str, Any] = {}
        self.begin("crawl 1")

    def begin(self, crawl: str) -> None:
        config = DuplicatesConfig(similarity=0.9, min_words=20)
        self.workers = [
            Duplicates(each, config, self.fates.get, self._state.notes, crawl=crawl)
            for each in self._collections
        ]

    async def put(self, *numbers: int) -> None:
        records = [record(each, content_hash="text", near_hash=FACTS + "00" * 128) for each in numbers]
        await self._collections[0].with_catalogue(lambda catalogue: catalogue.put(records))

    async def admit(self, *documents: Document) -> list[Document | Original]:
        """Each by another worker, at once."""
        workers = [self.workers[at % WORKERS] for at in range(len(documents))]
        return await asyncio.gather(
            *(worker.admit(each) for worker, each in zip(workers, documents, strict=True))
        )


@pytest.fixture
async def crawl(postgres_address: PostgresAddress) -> AsyncIterator[Crawl]:
    async with AsyncExitStack() as stack:
        collections = []
        for _ in range(WORKERS):
            thread = SingleThreadExecutor("worker")
            store = open_store(StoreConfig(kind="memory"))
            catalogue = await thread.do(lambda: PostgresCatalogue(postgres_address, "catalogue"))
            collections.append(Collection(store, catalogue, thread, retry=StoreRetry(0, lambda: True)))
            stack.callback(thread.close)
            stack.push_async_callback(thread.do, catalogue.close)
        yield Crawl(collections)


@pytest.mark.parametrize(
    ("texts", "reason"), [(["text"] * 6, "duplicate_content"), ([*"abcdef"], "near_duplicate")]
)
async def test_of_pages_that_all_workers_read_at_once_one_is_stored(
    crawl: Crawl, texts: list[str], reason: str
) -> None:
    pages = [page(number, content_hash=text) for number, text in enumerate(texts)]
    admitted = await crawl.admit(*pages)
    stored = [each for each in admitted if isinstance(each, Document)]
    assert len(stored) == 1
    originals = {each for each in admitted if isinstance(each, Original)}
    assert originals == {Original(stored[0].id, stored[0].url, reason)}


async def test_a_page_that_a_dead_worker_claimed_may_be_done_by_another(crawl: Crawl) -> None:
    first, again = await crawl.admit(page(1), page(1))
    assert isinstance(first, Document)
    assert isinstance(again, Document)


async def test_what_is_stored_stays_until_its_page_is_gone(crawl: Crawl) -> None:
    await crawl.put(1)
    (found,) = await crawl.admit(page(2))
    assert found == Original("d0001", "https://a.example/1", "duplicate_content")
    crawl.fates["https://a.example/1"] = ("skipped", "http_404")
    crawl.begin("crawl 2")
    admitted = await crawl.admit(page(2), page(3))
    assert sorted(isinstance(each, Document) for each in admitted) == [False, True]


async def test_a_page_that_says_something_else_now_frees_its_text(crawl: Crawl) -> None:
    await crawl.put(1)
    changed = page(1, content_hash="new", near_hash="e" * 16 + "00" * 128)
    (first,) = await crawl.admit(changed)
    assert first == changed
    crawl.fates["https://a.example/1"] = ("fetched", "")
    (second,) = await crawl.admit(page(2))
    assert isinstance(second, Document)


async def test_the_worker_that_ends_the_crawl_knows_the_aliases_that_others_found(crawl: Crawl) -> None:
    await crawl.put(1)
    await crawl.admit(page(2), page(3), page(4))
    found = [alias async for alias in _aliases(crawl.workers[0])]
    assert found == ["https://a.example/2", "https://a.example/3", "https://a.example/4"]


async def test_once_a_crawl_has_ended_the_next_decides_anew(crawl: Crawl) -> None:
    assert isinstance((await crawl.admit(page(1)))[0], Document)
    await crawl.workers[0].end()
    crawl.begin("crawl 1")
    (second,) = await crawl.admit(page(2))
    assert second == replace(page(2))


async def _aliases(duplicates: Duplicates) -> AsyncIterator[str]:
    for found in duplicates._aliases().values():
        for url in sorted(found.urls):
            yield url

"""A store that one thread writes and others read."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from ragcrawler.items import SemanticChunk, SparseVector, Vectors
from ragcrawler.run.execution.single_thread_executor import SingleThreadExecutor
from ragcrawler.run.indexing.shared_store import SharedStore
from ragcrawler.stores import CollectionModels, Hit, StoreError
from ragcrawler.stores.memory.store import MemoryStore
from ragcrawler.stores.search_request import Ranking, SearchRequest


class OwnedStore(MemoryStore):
    """Notes which threads come in."""

    def __init__(self) -> None:
        super().__init__()
        self.threads: set[str] = set()

    def models(self) -> CollectionModels | None:
        self._note()
        return super().models()

    def search(self, request: SearchRequest) -> list[Hit]:
        self._note()
        return super().search(request)

    def get(self, ids: Sequence[str]) -> list[SemanticChunk]:
        self._note()
        return super().get(ids)

    def scroll(self, *, filters: Any = None) -> Iterator[SemanticChunk]:
        for each in super().scroll(filters=filters):
            self._note()
            yield each

    def count(self, *, filters: Any = None) -> int:
        self._note()
        return super().count(filters=filters)

    def _note(self) -> None:
        self.threads.add(threading.current_thread().name)


def chunk(number: int) -> SemanticChunk:
    return SemanticChunk(
        id=f"00000000-0000-0000-0000-{number:012d}",
        chunk_id=f"c{number}",
        document_id="d",
        content=f"chunk {number}",
        content_hash="",
        token_count=2,
        embed_text="",
        start=0,
        end=1,
        position=number,
        vectors=Vectors((1.0, float(number)), SparseVector((1,), (1.0,))),
    )


@pytest.fixture
def thread() -> Iterator[SingleThreadExecutor]:
    owner = SingleThreadExecutor("owner")
    yield owner
    owner.close()


@pytest.fixture
def store(thread: SingleThreadExecutor) -> OwnedStore:
    made = OwnedStore()
    thread.executor.submit(made.create, CollectionModels("tiny", 2, "tiny-sparse")).result()
    return made


def write(thread: SingleThreadExecutor, store: OwnedStore, numbers: Sequence[int]) -> None:
    thread.executor.submit(store.upsert, [chunk(number) for number in numbers]).result()


async def test_every_call_runs_on_the_thread_that_owns_the_store(
    store: OwnedStore, thread: SingleThreadExecutor
) -> None:
    write(thread, store, range(3))
    store.threads.clear()
    shared = SharedStore(store, thread)
    request = SearchRequest((Ranking("dense", (1.0, 0.0), 1.0),), limit=1)
    found, got, all_of_them, count, models = await asyncio.gather(
        asyncio.to_thread(shared.search, request),
        asyncio.to_thread(shared.get, [chunk(2).id]),
        asyncio.to_thread(lambda: list(shared.scroll())),
        asyncio.to_thread(shared.count),
        asyncio.to_thread(shared.models),
    )
    assert [hit.chunk.position for hit in found] == [0]
    assert [each.position for each in got] == [2]
    assert sorted(each.position for each in all_of_them) == [0, 1, 2]
    assert (count, models) == (3, CollectionModels("tiny", 2, "tiny-sparse"))
    assert {name.rpartition("_")[0] for name in store.threads} == {"owner"}


def test_reading_all_lets_the_owner_write_in_between(store: OwnedStore, thread: SingleThreadExecutor) -> None:
    write(thread, store, range(300))
    reading = SharedStore(store, thread).scroll()
    first = next(reading)
    write(thread, store, [999])
    assert {first.position, *(each.position for each in reading)} >= set(range(300))


def test_a_reader_does_not_close_what_the_crawl_owns(store: OwnedStore, thread: SingleThreadExecutor) -> None:
    shared = SharedStore(store, thread)
    shared.close()
    assert shared.count() == 0


def test_after_the_crawl_its_store_is_closed_to_others_too(
    store: OwnedStore, thread: SingleThreadExecutor
) -> None:
    thread.close()
    with pytest.raises(StoreError, match="its crawl has ended"):
        SharedStore(store, thread).count()

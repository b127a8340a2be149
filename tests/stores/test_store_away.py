"""A server that is away for a while: what was made for it is kept, and stored when it is back."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.catalogue import DocumentRecord, SqliteCatalogue
from ragcrawler.items import SemanticChunk
from ragcrawler.run.execution.single_thread_executor import SingleThreadExecutor
from ragcrawler.run.execution.store_retry import StoreRetry
from ragcrawler.run.indexing.collection import Collection
from ragcrawler.run.indexing.synchronise import DocumentWrite
from ragcrawler.stores import CollectionModels, StoreAwayError, StoreConfig, StoreError, open_store


def opened(
    double: Any, models: CollectionModels, seconds: float
) -> tuple[SingleThreadExecutor, Callable[[], Collection]]:
    """A thread, and what makes a collection on it."""
    thread = SingleThreadExecutor("store")

    def make() -> Collection:
        store = open_store(StoreConfig(url=double.url))
        store.create(models)
        retry = StoreRetry(seconds, lambda: True, sleep=lambda _: None)
        return Collection(store, SqliteCatalogue(None), thread, retry=retry)

    return thread, make


def work(make_chunk: Callable[..., SemanticChunk]) -> DocumentWrite:
    chunks = tuple(make_chunk(number, document_id="d0") for number in range(5))
    return DocumentWrite(DocumentRecord("d0", "https://a.example/", "a.example", "page", "text", "p"), chunks)


@pytest.mark.parametrize("away", [1, 2, 7])
async def test_what_is_embedded_is_stored_when_the_server_is_back(
    start_rest_double: Any, collection_models: CollectionModels, make_chunk: Any, away: int
) -> None:
    double = start_rest_double()
    thread, make = opened(double, collection_models, seconds=60)
    collection = await thread.do(make)
    double.away = away
    done = await collection.write(work(make_chunk))
    assert done.new + done.updated == 5
    assert done.refused == {}
    assert await collection.embed_hashes("d0") == {
        chunk.id: chunk.embed_hash for chunk in work(make_chunk).chunks
    }
    assert await collection.close(optimize=True) == 5
    thread.close()


async def test_a_server_that_stays_away_costs_the_page_and_not_the_crawl(
    start_rest_double: Any, collection_models: CollectionModels, make_chunk: Any
) -> None:
    double = start_rest_double()
    thread, make = opened(double, collection_models, seconds=0)
    collection = await thread.do(make)
    double.away = 1
    with pytest.raises(StoreAwayError, match="503"):
        await collection.write(work(make_chunk))
    done = await collection.write(work(make_chunk))
    assert done.new == 5
    await collection.close(optimize=False)
    thread.close()


def test_a_server_that_is_not_there_is_away_and_one_that_refuses_is_not(
    start_rest_double: Any, collection_models: CollectionModels, make_chunk: Any, tmp_path: Path
) -> None:
    with pytest.raises(StoreAwayError):
        open_store(StoreConfig(url="http://127.0.0.1:1"))
    double = start_rest_double()
    with open_store(StoreConfig(url=double.url)) as store:
        store.create(collection_models)
        double.api_key = "another"
        with pytest.raises(StoreError) as refused:
            store.upsert([replace(make_chunk(1))])
    assert not isinstance(refused.value, StoreAwayError)

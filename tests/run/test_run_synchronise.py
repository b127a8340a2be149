"""Writing documents: in which order, what happens where the store refuses, is away, or the process dies."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from ragcrawler.catalogue import DocumentCatalogue, DocumentRecord, Revisit, RevisitSchedule, SqliteCatalogue
from ragcrawler.items import Document, SemanticChunk, SparseVector, Vectors
from ragcrawler.run.execution.store_retry import StoreRetry
from ragcrawler.run.indexing.synchronise import (
    MOST_REFUSED,
    DocumentWrite,
    synchronise,
    upsert_isolating_failures,
)
from ragcrawler.run.indexing.visits import Visits
from ragcrawler.stores import CollectionModels, StoreAwayError, StoreError
from ragcrawler.stores.memory.store import MemoryStore

DOCUMENT = Document("d", "https://a.example/d", "", "", "a", "content", "2026-01-01T00:00:00+00:00")
VECTORS = Vectors((1.0, 0.0), SparseVector((1,), (1.0,)))


class Noting(MemoryStore):
    """Notes what is written, and refuses or dies where it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.create(CollectionModels("tiny", 2, "tiny-sparse"))
        self.calls: list[tuple[str, list[str]]] = []
        self.refused: set[str] = set()
        self.dies_at: int | None = None

    def upsert(self, chunks: Sequence[SemanticChunk]) -> None:
        self._note(
            "write" if any(chunk.vectors for chunk in chunks) else "rewrite", [c.content for c in chunks]
        )
        if any(chunk.content in self.refused for chunk in chunks):
            raise StoreError("a chunk that this store does not take")
        super().upsert(chunks)

    def flush(self) -> None:
        self._note("flush", [])
        super().flush()

    def delete(self, ids: Sequence[str]) -> None:
        self._note("delete", [chunk.content for chunk in self.get(ids)])
        super().delete(ids)

    def _note(self, what: str, contents: list[str]) -> None:
        if self.dies_at is not None and len(self.calls) == self.dies_at:
            raise KeyboardInterrupt
        if contents:
            self.calls.append((what, contents))


def chunks_of(*contents: str, known: Sequence[str] = ()) -> tuple[SemanticChunk, ...]:
    """A document of one word a chunk; those that are known come without vectors."""
    ids = ["", *(f"{ord(word[0]):032x}" for word in contents), ""]
    ids = [each and f"{each[:8]}-{each[8:12]}-{each[12:16]}-{each[16:20]}-{each[20:]}" for each in ids]
    return tuple(
        SemanticChunk(
            id=ids[index + 1],
            chunk_id=f"d_chunk_{index}",
            document_id="d",
            content=word,
            content_hash=word,
            token_count=1,
            embed_text=word,
            start=index,
            end=index + 1,
            position=index,
            embed_hash=word,
            prev_chunk_id=ids[index],
            next_chunk_id=ids[index + 2],
            vectors=None if word in known else VECTORS,
        )
        for index, word in enumerate(contents)
    )


def work(*contents: str, known: Sequence[str] = (), **changes: Any) -> DocumentWrite:
    record = DocumentRecord("d", "https://a.example/d", "a.example", "page", "content", "p", etag='"1"')
    return DocumentWrite(record, chunks_of(*contents, known=known), **changes)


@pytest.fixture
def store() -> Noting:
    return Noting()


@pytest.fixture
def catalogue() -> Iterator[DocumentCatalogue]:
    with SqliteCatalogue(None) as opened:
        yield opened


def test_new_chunks_come_first_then_moved_ones_and_deletions_last(
    store: Noting, catalogue: DocumentCatalogue
) -> None:
    synchronise(store, catalogue, [work("a", "b", "c")])
    store.calls.clear()
    (done,) = synchronise(store, catalogue, [work("a", "x", "c", known="ac")])
    assert store.calls == [("write", ["x"]), ("rewrite", ["a", "c"]), ("delete", ["b"])]
    assert (done.new, done.updated, done.unchanged, done.removed) == (1, 2, 0, 1)


def test_only_when_it_was_fetched_is_no_reason_to_write(store: Noting, catalogue: DocumentCatalogue) -> None:
    synchronise(store, catalogue, [work("a", "b")])
    store.calls.clear()
    again = work("a", "b", known="ab")
    again = replace(
        again,
        chunks=tuple(replace(each, fetched_at="later", etag='"2"') for each in again.chunks),
        record=replace(again.record, etag='"2"'),
    )
    (done,) = synchronise(store, catalogue, [again])
    assert store.calls == []
    assert done.unchanged == 2
    record = catalogue.get("d")
    assert record is not None
    assert record.etag == '"2"'


@pytest.mark.parametrize("dies_at", [0, 1, 2])
def test_a_crawl_that_dies_while_it_writes_is_mended_by_the_next(
    store: Noting, catalogue: DocumentCatalogue, dies_at: int
) -> None:
    synchronise(store, catalogue, [work("a", "b", "c")])
    store.calls.clear()
    store.dies_at = dies_at
    with pytest.raises(KeyboardInterrupt):
        synchronise(store, catalogue, [work("a", "x", "c", known="ac")])
    record = catalogue.get("d")
    assert record is not None
    assert (record.is_unfinished, record.page_hash, record.etag) == (True, "", "")
    store.dies_at = None
    known = store.embed_hashes("d").values()
    synchronise(store, catalogue, [work("a", "x", "c", known=[*known])])
    wanted = {chunk.id: replace(chunk, vectors=None) for chunk in chunks_of("a", "x", "c")}
    assert {chunk.id: chunk for chunk in store.scroll()} == wanted
    record = catalogue.get("d")
    assert record is not None
    assert (record.is_unfinished, record.page_hash) == (False, "page")


def test_a_page_that_is_again_as_it_was_before_the_crash_is_rewritten_too(
    store: Noting, catalogue: DocumentCatalogue
) -> None:
    synchronise(store, catalogue, [work("a", "b", "c")])
    store.calls.clear()
    store.dies_at = 1
    with pytest.raises(KeyboardInterrupt):
        synchronise(store, catalogue, [work("a", "c", "b", known="abc")])
    store.dies_at = None
    synchronise(store, catalogue, [work("a", "b", "c", known="abc")])
    wanted = {chunk.id: replace(chunk, vectors=None) for chunk in chunks_of("a", "b", "c")}
    assert {chunk.id: chunk for chunk in store.scroll()} == wanted


def test_a_chunk_that_the_store_refuses_is_lost_alone(store: Noting, catalogue: DocumentCatalogue) -> None:
    store.refused = {"c"}
    letters = "abcdefgh"
    (done,) = synchronise(store, catalogue, [work(*letters)])
    assert done.new == 7
    assert [str(error) for error in done.refused.values()] == ["a chunk that this store does not take"]
    assert {chunk.content for chunk in store.scroll()} == {*letters} - {"c"}
    record = catalogue.get("d")
    assert record is not None
    assert record.page_hash == ""
    assert len(record.chunks) == 8


def test_nothing_is_removed_while_a_part_of_the_document_is_lost(
    store: Noting, catalogue: DocumentCatalogue
) -> None:
    synchronise(store, catalogue, [work("a", "b")])
    (done,) = synchronise(
        store, catalogue, [work("a", "x", known="ax", lost=frozenset([chunks_of("x")[0].id]))]
    )
    assert done.removed == 0
    assert {chunk.content for chunk in store.scroll()} == {"a", "b"}


def test_a_store_that_refuses_everything_is_not_asked_for_every_chunk(store: Noting) -> None:
    letters = [chr(number) for number in range(48, 48 + 200)]
    store.refused = set(letters)
    refused = upsert_isolating_failures(store, chunks_of(*letters))
    assert len(refused) == 200
    assert len(store.calls) < 4 * MOST_REFUSED


class Away:
    """A call on a store that comes back after some tries."""

    def __init__(self, tries: int) -> None:
        self.tries = tries

    def __call__(self) -> str:
        self.tries -= 1
        if self.tries >= 0:
            raise StoreAwayError("the store is away.")
        return "done"


def retry(seconds: float = 60, is_running: Callable[[], bool] = lambda: True) -> StoreRetry:
    return StoreRetry(seconds, is_running, sleep=lambda _: None)


def test_a_store_that_comes_back_is_waited_for() -> None:
    waiting = retry()
    assert waiting.do(Away(3)) == "done"
    assert waiting.waits == 3


def test_after_a_wait_in_vain_calls_get_one_try_until_the_store_is_back() -> None:
    is_running = [False]
    waiting = retry(is_running=lambda: is_running[0])
    with pytest.raises(StoreAwayError):
        waiting.do(Away(1))
    is_running[0] = True
    with pytest.raises(StoreAwayError):
        waiting.do(Away(1))
    assert waiting.waits == 0
    assert waiting.do(Away(0)) == "done"
    assert waiting.do(Away(2)) == "done"
    assert waiting.waits == 2


def test_waiting_ends_after_its_time() -> None:
    with pytest.raises(StoreAwayError):
        retry(seconds=0).do(Away(1))


def test_nobody_waits_for_a_store_after_a_crawl_was_interrupted() -> None:
    waiting = retry(is_running=lambda: False)
    with pytest.raises(StoreAwayError):
        waiting.do(Away(1))
    assert waiting.waits == 0


DATED = RevisitSchedule(first_seconds=100.0, min_seconds=10.0, max_seconds=1000.0, growth=0.5, shrinkage=0.5)


@pytest.mark.parametrize(
    ("changes", "interval"),
    [
        ({}, 150.0),
        ({"page_hash": "around the same text"}, 150.0),
        ({"content_hash": "another"}, 55.0),
        ({"content_hash": "another", "preparation": "p2"}, 100.0),
        ({"preparation": "p2"}, 150.0),
    ],
)
def test_a_page_is_dated_by_whether_its_text_changed(
    store: Noting, catalogue: DocumentCatalogue, changes: dict[str, str], interval: float
) -> None:
    first = work("a", document=DOCUMENT)
    synchronise(store, catalogue, [first], visits=Visits(1000.0, DATED))
    found = catalogue.get("d")
    assert found is not None
    assert Revisit.of(found) == Revisit(100.0, 1100.0)
    again = replace(first, record=replace(first.record, **changes))
    synchronise(store, catalogue, [again], visits=Visits(1100.0, DATED))
    found = catalogue.get("d")
    assert found is not None
    assert Revisit.of(found) == Revisit(interval, 1100.0 + interval)


def test_who_rewrites_a_payload_has_not_visited_the_page(store: Noting, catalogue: DocumentCatalogue) -> None:
    synchronise(store, catalogue, [work("a", document=DOCUMENT)], visits=Visits(1000.0, DATED))
    found = catalogue.get("d")
    assert found is not None
    synchronise(store, catalogue, [replace(work("a"), record=found)], visits=Visits(2000.0, DATED))
    assert catalogue.get("d") == found

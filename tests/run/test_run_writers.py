"""Two workers that write one document: wherever the one is interrupted by the other, the later lease wins."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, cast

import pytest

from ragcrawler.catalogue import (
    DocumentCatalogue,
    DocumentRecord,
    Revisit,
    SqliteCatalogue,
    WriterLease,
)
from ragcrawler.catalogue.postgres.catalogue import PostgresCatalogue
from ragcrawler.maintenance.verification.index_scan import IndexScan
from ragcrawler.run.indexing.synchronise import DocumentWrite, synchronise
from ragcrawler.stores import CollectionModels
from ragcrawler.stores.memory.store import MemoryStore
from tests.run.test_run_synchronise import chunks_of

MODELS = CollectionModels("tiny", 2, "tiny-sparse")
# More than any writer makes, with what it takes back.
POINTS = range(30)


class Interrupted:
    """Store or catalogue of a writer; before one of its calls another writer does all of its work."""

    def __init__(self, target: object, calls: list[str], place: int, act: Callable[[], object]) -> None:
        self._target = target
        self._calls = calls
        self._place = place
        self._act = act

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._target, name)

        def call(*arguments: Any, **named: Any) -> Any:
            self._calls.append(name)
            if len(self._calls) == self._place + 1:
                self._act()
            return method(*arguments, **named)

        return call


@pytest.fixture
def store() -> MemoryStore:
    made = MemoryStore()
    made.create(MODELS)
    return made


@pytest.fixture(params=["sqlite", "postgres"])
def catalogue(request: pytest.FixtureRequest) -> Iterator[DocumentCatalogue]:
    opened: DocumentCatalogue
    if request.param == "sqlite":
        opened = SqliteCatalogue(None)
    else:
        opened = PostgresCatalogue(request.getfixturevalue("postgres_address"), "catalogue")
    with opened:
        opened.clear()
        yield opened


def work(lease: int, *contents: str, known: str = "", crawl: str = "c") -> DocumentWrite:
    url = "https://a.example/d"
    record = DocumentRecord("d", url, "a.example", f"page {lease}", f"text {lease}", "p")
    record = replace(record, crawl=crawl, lease=lease, etag=f'"{lease}"')
    return DocumentWrite(record, chunks_of(*contents, known=known))


def contents(store: MemoryStore) -> list[str]:
    return sorted(chunk.content for chunk in store.scroll())


def write(
    store: MemoryStore,
    catalogue: DocumentCatalogue,
    first: DocumentWrite,
    place: int,
    second: DocumentWrite,
) -> bool:
    """The work of the first writer, in which the second one does its own; whether it came to that."""
    calls: list[str] = []

    def act() -> None:
        synchronise(store, catalogue, [second])

    made: Any = Interrupted(store, calls, place, act)
    asked: Any = Interrupted(catalogue, calls, place, act)
    synchronise(made, asked, [first])
    return len(calls) > place


@pytest.mark.parametrize("is_new", [False, True])
@pytest.mark.parametrize("order", [(5, 9), (9, 5)])
def test_the_later_lease_wins_at_whatever_call_the_other_one_comes_in(
    store: MemoryStore, catalogue: DocumentCatalogue, order: tuple[int, int], is_new: bool
) -> None:
    """One keeps what the other deletes, and each has a chunk of its own."""
    works = {5: work(5, "a", "x", "c"), 9: work(9, "a", "b", "y")}
    for place in POINTS:
        store.delete([chunk.id for chunk in store.scroll()])
        catalogue.clear()
        if not is_new:
            synchronise(store, catalogue, [work(1, "a", "b", "c")])
        if not write(store, catalogue, works[order[0]], place, works[order[1]]):
            break
        record = cast("DocumentRecord", catalogue.get("d"))
        assert record.writer == ("c", 9), place
        if record.is_unfinished:
            # The stale one was the first to have put it, and deleted what the later one had relied on.
            assert (order, is_new, record.page_hash, contents(store)) == ((5, 9), False, "", ["a", "y"])
            continue
        assert record.page_hash == "page 9", place
        assert contents(store) == ["a", "b", "y"], place
        assert [chunk.content for chunk in catalogue.chunks("d")] == ["a", "b", "y"], place
        assert {each.id: each for each in store.scroll()} == {
            each.id: replace(each, vectors=None) for each in works[9].chunks
        }
    assert 5 < place < len(POINTS) - 1


def test_what_the_stale_one_deleted_without_anybody_having_its_vectors_is_known_to_be_missing(
    store: MemoryStore, catalogue: DocumentCatalogue
) -> None:
    """The later one relies on vectors that it saw in the store before the other one deleted them."""
    for place in POINTS:
        store.delete([chunk.id for chunk in store.scroll()])
        catalogue.clear()
        synchronise(store, catalogue, [work(1, "a", "b", "c")])
        if not write(store, catalogue, work(5, "a", "x", "c"), place, work(9, "a", "b", "y", known="ab")):
            break
        record = cast("DocumentRecord", catalogue.get("d"))
        assert record.writer == ("c", 9)
        assert contents(store) == ["a", "b", "y"] or (record.is_unfinished and not record.page_hash), place
        assert "x" not in contents(store) or record.is_unfinished, place


def test_a_stale_writer_hears_that_it_lost(store: MemoryStore, catalogue: DocumentCatalogue) -> None:
    (done,) = synchronise(store, catalogue, [work(9, "a", "b")])
    assert not done.is_lost
    (late,) = synchronise(store, catalogue, [work(5, "a", "x")])
    assert late.is_lost
    assert contents(store) == ["a", "b"]


def test_one_that_died_between_store_and_catalogue_leaves_what_verify_finds(
    store: MemoryStore, catalogue: DocumentCatalogue
) -> None:
    def die() -> None:
        synchronise(store, catalogue, [work(9, "a", "b")])
        store.upsert([chunk for chunk in work(5, "a", "x").chunks if chunk.content == "x"])
        raise KeyboardInterrupt

    asked: Any = Interrupted(catalogue, [], 1, die)
    with pytest.raises(KeyboardInterrupt):
        synchronise(store, asked, [work(5, "a", "x")])
    assert contents(store) == ["a", "b", "x"]
    (faulty,) = IndexScan(store, catalogue, MODELS).faulty_documents()
    assert "surplus_chunk" in [fault.kind for fault in faulty.faults]


def test_another_crawl_writes_what_it_found(store: MemoryStore, catalogue: DocumentCatalogue) -> None:
    synchronise(store, catalogue, [work(9, "a", "b")])
    synchronise(store, catalogue, [work(5, "a", "x", crawl="the next one")])
    synchronise(store, catalogue, [work(0, "a", "y", crawl="")])
    assert contents(store) == ["a", "y"]


def test_a_worker_of_a_crawl_that_has_ended_writes_nothing(
    store: MemoryStore, catalogue: DocumentCatalogue
) -> None:
    synchronise(store, catalogue, [work(9, "a", "b")])
    catalogue.end_crawl("c")
    for late in (
        work(11, "a", "x"),
        replace(work(12, "z"), record=replace(work(12).record, document_id="e")),
    ):
        (done,) = synchronise(store, catalogue, [late])
        assert done.is_lost
    assert (contents(store), catalogue.get("e")) == (["a", "b"], None)
    assert not catalogue.mark_seen("d", "run", Revisit(), writer=WriterLease("c", 13))
    catalogue.begin_crawl("c")  # it goes on after a break
    (done,) = synchronise(store, catalogue, [work(14, "a", "x")])
    assert (done.is_lost, contents(store)) == (False, ["a", "x"])


def test_what_one_found_unchanged_a_stale_one_does_not_overwrite(
    store: MemoryStore, catalogue: DocumentCatalogue
) -> None:
    synchronise(store, catalogue, [work(3, "a", "b", crawl="the last one")])
    assert catalogue.mark_seen("d", "run", Revisit(), etag='"new"', writer=WriterLease("c", 9))
    (late,) = synchronise(store, catalogue, [work(5, "a", "x")])
    assert (late.is_lost, contents(store)) == (True, ["a", "b"])
    assert not catalogue.mark_seen("d", "run", Revisit(), etag='"old"', writer=WriterLease("c", 5))
    record = cast("DocumentRecord", catalogue.get("d"))
    assert (record.etag, record.writer) == ('"new"', ("c", 9))


def test_a_page_is_not_found_unchanged_while_another_worker_writes_it(
    store: MemoryStore, catalogue: DocumentCatalogue
) -> None:
    synchronise(store, catalogue, [work(3, "a", "b")])
    catalogue.mark_writing([work(5, "a", "x").record])
    assert not catalogue.mark_seen("d", "run", Revisit(), writer=WriterLease("c", 9))

"""Faults put into a collection on purpose: all are found, and mended with as much work as there are."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from ragcrawler.catalogue import ChunkRecord, DocumentCatalogue, DocumentRecord, SqliteCatalogue
from ragcrawler.chunking import ChunkingConfig, chunk_markdown
from ragcrawler.embedding.families.hashing_embedders import HashingDense, HashingSparse
from ragcrawler.items import SemanticChunk, SparseVector, Vectors
from ragcrawler.maintenance.verification import IndexScan, Repairs, repair
from ragcrawler.maintenance.verification.facts import PointFacts
from ragcrawler.maintenance.verification.faults import document_faults
from ragcrawler.run.indexing.synchronise import DocumentWrite, synchronise
from ragcrawler.stores import ChunkStore, CollectionModels, StoreConfig, open_store
from ragcrawler.stores.protocol import StoredPoint

MODELS = CollectionModels("hashing/384", 384, "hashing/sparse")
NAME = "hashing/384+hashing/sparse"


class Words:
    """Counts words."""

    limit = 500

    def count(self, text: str) -> int:
        return len(text.split())

    def count_batch(self, texts: Sequence[str]) -> list[int]:
        return [self.count(text) for text in texts]


def embed(chunks: Sequence[SemanticChunk]) -> list[Vectors]:
    texts = [chunk.embed_text for chunk in chunks]
    pairs = zip(HashingDense().embed_documents(texts), HashingSparse().embed_documents(texts), strict=True)
    return [Vectors(*pair) for pair in pairs]


def document(number: int, sections: int = 6) -> DocumentWrite:
    url = f"https://a.example/{number}"
    parts = [f"## Part {n}\n\nWater bed {number}-{n} early, and note it. " * 3 for n in range(sections)]
    config = ChunkingConfig(target_tokens=30, max_tokens=60, min_tokens=0, overlap_tokens=0, model=NAME)
    made = chunk_markdown(
        "\n\n".join(parts), config=config, tokens=Words(), document_id=f"d{number}", url=url
    )
    chunks = [replace(chunk, vectors=vectors) for chunk, vectors in zip(made, embed(made), strict=True)]
    record = DocumentRecord(
        f"d{number}", url, "a.example", "page", "content", "p", first_seen="r1", last_seen="r1"
    )
    return DocumentWrite(record, tuple(chunks))


@pytest.fixture(params=["memory", "edge"])
def store(request: Any, tmp_path: Path) -> Iterator[ChunkStore]:
    with open_store(StoreConfig(folder=tmp_path, kind=request.param)) as opened:
        opened.create(MODELS)
        yield opened


@pytest.fixture
def catalogue() -> Iterator[DocumentCatalogue]:
    with SqliteCatalogue(None) as opened:
        yield opened


@pytest.fixture
def chunks(store: ChunkStore, catalogue: DocumentCatalogue) -> list[SemanticChunk]:
    """The chunks of three documents that were stored."""
    documents = [document(number) for number in range(3)]
    synchronise(store, catalogue, documents)
    return [chunk for each in documents for chunk in each.chunks]


@pytest.fixture
def walked(store: ChunkStore, catalogue: DocumentCatalogue) -> Callable[..., tuple[dict[str, int], Repairs]]:
    """Walk, and mend if asked to: the faults by kind, and what was done."""

    def walk(*, mend: bool = False) -> tuple[dict[str, int], Repairs]:
        counts: Counter[str] = Counter()
        done = Repairs()
        for faulty in IndexScan(store, catalogue, MODELS).faulty_documents():
            counts.update(fault.kind for fault in faulty.faults)
            if mend:
                done += repair(store, catalogue, faulty, MODELS, embed)
        return dict(counts), done

    return walk


def contents(store: ChunkStore) -> dict[str, SemanticChunk]:
    return {chunk.id: chunk for chunk in store.scroll()}


def test_what_was_just_stored_is_whole(store: ChunkStore, chunks: Any, walked: Any) -> None:
    assert store.count() == len(chunks) >= 18
    assert walked()[0] == {}


@pytest.mark.parametrize(("version", "faults"), [("99", {}), ("0", {"other_model": 18})])
def test_what_an_earlier_chunker_cut_is_whole_and_what_a_later_one_cut_is_not(
    store: ChunkStore, chunks: Any, walked: Any, monkeypatch: pytest.MonkeyPatch, version: str, faults: Any
) -> None:
    monkeypatch.setattr("ragcrawler.chunking.output.identity.CHUNKER_VERSION", version)
    assert walked()[0] == faults


def bare(chunk: SemanticChunk, **changes: Any) -> SemanticChunk:
    return replace(chunk, vectors=None, **changes)


DAMAGES: dict[
    str, tuple[Callable[[ChunkStore, list[SemanticChunk]], None], dict[str, int], tuple[int, ...]]
] = {
    "deleted": (
        lambda store, chunks: store.delete([chunk.id for chunk in chunks[2:5]]),
        {"missing_chunk": 3},
        (3, 0, 0, 0, 0),
    ),
    "a whole document deleted": (
        lambda store, chunks: store.delete(list(store.embed_hashes("d1"))),
        {"missing_chunk": 6},
        (6, 0, 0, 0, 0),
    ),
    "doubled under other ids": (
        lambda store, chunks: store.upsert([replace(chunk, id=str(uuid4())) for chunk in chunks[2:6]]),
        {"duplicate_chunk": 4},
        (0, 0, 4, 0, 0),
    ),
    "left over from an older text": (
        lambda store, chunks: store.upsert(
            [replace(chunks[0], id=str(uuid4()), content="Old.", content_hash="other")]
        ),
        {"surplus_chunk": 1},
        (0, 0, 1, 0, 0),
    ),
    "another content": (
        lambda store, chunks: store.upsert([bare(chunk, content="Nothing.") for chunk in chunks[:2]]),
        {"wrong_payload": 2},
        (0, 2, 0, 0, 0),
    ),
    "another place": (
        lambda store, chunks: store.upsert([bare(chunks[3], position=0, section_path=())]),
        {"wrong_payload": 1},
        (0, 1, 0, 0, 0),
    ),
    "another document": (
        lambda store, chunks: store.upsert([bare(chunks[3], document_id="d9")]),
        {"wrong_payload": 1},
        (0, 1, 0, 0, 0),
    ),
    "other neighbours": (
        lambda store, chunks: store.upsert([bare(chunks[3], prev_chunk_id=chunks[9].id)]),
        {"broken_neighbours": 1},
        (0, 1, 0, 0, 0),
    ),
    "vectors of another model": (
        lambda store, chunks: store.upsert(
            [replace(chunks[3], embed_hash="hash of theirs", vectors=embed(chunks[4:5])[0])]
        ),
        {"other_model": 1},
        (1, 0, 0, 0, 0),
    ),
}


@pytest.mark.parametrize(("damage", "faults", "work"), DAMAGES.values(), ids=DAMAGES)
def test_damage_is_found_by_its_name_and_mended_by_the_smallest_work(
    store: ChunkStore,
    chunks: list[SemanticChunk],
    walked: Any,
    damage: Callable[[ChunkStore, list[SemanticChunk]], None],
    faults: dict[str, int],
    work: tuple[int, ...],
) -> None:
    before = contents(store)
    damage(store, chunks)
    assert walked()[0] == faults
    found, done = walked(mend=True)
    assert found == faults
    assert astuple(done) == work
    assert walked()[0] == {}
    assert contents(store) == before


def flipped(dense: Sequence[float]) -> list[float]:
    """With one bit of one number changed, the least that counts."""
    numbers = array("f", dense)
    raw = bytearray(numbers.tobytes())
    raw[4 * next(index for index, value in enumerate(numbers) if value)] ^= 1
    return array("f", bytes(raw)).tolist()


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"dense": flipped}, "bad_vector"),
        ({"sparse": lambda vector: replace(vector, values=[*vector.values[:-1], 9.0])}, "bad_vector"),
        ({"words": lambda vector: replace(vector, values=[*vector.values[:-1], 9.0])}, "bad_vector"),
        ({"payload": lambda payload: payload | {"fetched_at": "2001-01-01T00:00:00Z"}}, "wrong_payload"),
        ({"payload": lambda payload: payload | {"section_path": "Elsewhere"}}, "wrong_payload"),
    ],
    ids=["a bit of the dense vector", "sparse vector", "words", "date of the fetch", "a field nobody reads"],
)
def test_a_point_that_is_not_as_it_was_written_is_found_by_its_checksum(
    store: ChunkStore, chunks: Any, catalogue: DocumentCatalogue, changes: dict[str, Any], kind: str
) -> None:
    record = catalogue.get("d1")
    assert record is not None
    assert all(mark.checksum for mark in record.chunks)
    points = list(store.points([mark.id for mark in record.chunks]))
    whole = [PointFacts.of(point, MODELS) for point in points]
    assert list(document_faults(record, whole, list)) == []
    changed = points[2]._replace(
        **{name: change(getattr(points[2], name)) for name, change in changes.items()}
    )
    (fault,) = document_faults(record, [*whole[:2], PointFacts.of(changed, MODELS), *whole[3:]], list)
    assert (fault.kind, fault.chunk_id) == (kind, changed.id)


def test_an_unfinished_document_is_written_anew_with_all_its_vectors(
    store: ChunkStore, chunks: Any, catalogue: DocumentCatalogue
) -> None:
    work = document(1)
    catalogue.mark_writing([work.record])
    (done,) = synchronise(store, catalogue, [work])
    assert (done.new, done.updated, done.unchanged) == (0, len(work.chunks), 0)
    record = catalogue.get("d1")
    assert record is not None
    assert not record.is_unfinished


def test_many_kinds_of_damage_at_once_are_told_apart(
    store: ChunkStore, chunks: list[SemanticChunk], walked: Any
) -> None:
    before = contents(store)
    store.delete([chunk.id for chunk in chunks[:4]])
    store.upsert([replace(chunk, id=str(uuid4())) for chunk in chunks[2:8]])
    store.upsert([bare(chunk, content="Nothing.") for chunk in chunks[9:14]])
    found, done = walked(mend=True)
    assert found == {"missing_chunk": 4, "duplicate_chunk": 6, "wrong_payload": 5}
    assert astuple(done) == (4, 5, 6, 0, 0)
    assert contents(store) == before


def test_a_collection_whose_catalogue_is_lost_is_entered_again(
    store: ChunkStore, chunks: list[SemanticChunk], walked: Any, catalogue: DocumentCatalogue
) -> None:
    catalogue.remove(["d0", "d1", "d2"])
    store.upsert([replace(chunks[0], id=str(uuid4()))])
    store.delete([chunks[8].id])  # of d1: nobody knows any more that it was there
    assert walked()[0] == {"uncatalogued_document": 3}
    found, done = walked(mend=True)
    assert found == {"uncatalogued_document": 3}
    assert (done.embedded, done.deleted, done.settled, done.left) == (0, 1, 3, 0)
    assert walked()[0] == {}
    record = catalogue.get("d1")
    assert record is not None
    assert (record.url, record.page_hash, len(record.chunks)) == ("https://a.example/1", "", 5)
    assert store.get([chunks[7].id])[0].next_chunk_id == chunks[9].id


def test_a_text_that_nobody_has_is_left_to_the_next_crawl(
    store: ChunkStore, chunks: list[SemanticChunk], walked: Any, catalogue: DocumentCatalogue
) -> None:
    record = catalogue.get("d1")
    assert record is not None
    catalogue.put([record], {"d1": []})
    store.delete([record.chunks[2].id])
    found, done = walked(mend=True)
    assert (found, done.left, done.embedded) == ({"missing_chunk": 1}, 1, 0)
    again = catalogue.get("d1")
    assert again is not None
    assert again.page_hash == ""


def test_a_document_that_a_crawl_did_not_finish_goes_back_to_what_it_was(
    store: ChunkStore, chunks: list[SemanticChunk], walked: Any, catalogue: DocumentCatalogue
) -> None:
    before = contents(store)
    changed = document(1, sections=7)
    catalogue.mark_writing([changed.record, document(5).record])
    store.upsert([*changed.chunks[-1:], *document(5).chunks])
    found, done = walked(mend=True)
    assert found == {"unfinished_document": 2, "surplus_chunk": 7}
    assert (done.deleted, done.embedded, done.left) == (7, 0, 0)
    assert walked()[0] == {}
    assert contents(store) == before
    assert catalogue.get("d5") is None


def facts(chunk: SemanticChunk, **changes: Any) -> PointFacts:
    """Of a point as a store gives it, with some of its parts changed."""
    from ragcrawler.stores.payload import chunk_payload

    vectors = chunk.vectors
    assert vectors is not None
    parts = {"dense": vectors.dense, "sparse": vectors.sparse, "payload": chunk_payload(chunk)} | changes
    return PointFacts.of(StoredPoint(chunk.id, parts["payload"], parts["dense"], parts["sparse"]), MODELS)


@pytest.mark.parametrize(
    ("changes", "kind", "detail"),
    [
        ({"dense": None}, "bad_vector", "no dense vector"),
        ({"dense": [1.0] * 12}, "bad_vector", "12 dimensions, not 384"),
        ({"dense": [float("nan")] * 384}, "bad_vector", "no number"),
        ({"dense": [0.0] * 384}, "bad_vector", "length 0, not 1"),
        ({"sparse": SparseVector([1], [float("inf")])}, "bad_vector", "no number"),
        ({"sparse": SparseVector([1, 2], [1.0])}, "bad_vector", "2 indices and 1 values"),
        ({"payload": {}}, "wrong_payload", "no sound payload"),
        ({"payload": {"content": 7}}, "wrong_payload", "no sound payload"),
    ],
)
def test_what_only_a_broken_store_can_hold_is_named(changes: dict[str, Any], kind: str, detail: str) -> None:
    work = document(1)
    record = replace(work.record, chunks=tuple(map(ChunkRecord.of, work.chunks)))
    points = [facts(work.chunks[0], **changes), *map(facts, work.chunks[1:])]
    (fault,) = document_faults(record, points, lambda: work.chunks)
    assert (fault.kind, fault.chunk_id, fault.url) == (kind, work.chunks[0].id, "https://a.example/1")
    assert detail in fault.detail


def test_a_text_without_a_word_that_the_sparse_model_knows_is_no_fault() -> None:
    work = document(1)
    record = replace(work.record, chunks=tuple(map(ChunkRecord.of, work.chunks)))
    points = [facts(chunk, sparse=None) for chunk in work.chunks]
    assert list(document_faults(record, points, lambda: work.chunks)) == []

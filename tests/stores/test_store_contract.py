"""The contract of a store, for each engine."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Literal
from uuid import UUID, uuid4

import pytest
from qdrant_client import QdrantClient

from ragcrawler.items import ChunkExtra, SemanticChunk, SparseVector, Vectors
from ragcrawler.server.services.collection import share_store
from ragcrawler.stores import ChunkStore, CollectionModels, Hit, StoreConfig, StoreError, open_store
from ragcrawler.stores.filters import read_filters
from ragcrawler.stores.search_request import Ranking, SearchRequest


class OwnedFolder:
    """Owns a collection as a server does; whoever opens it in this test gets it through the socket."""

    def __init__(self, config: StoreConfig) -> None:
        self._executor = ThreadPoolExecutor(1)
        store = self._store = self._executor.submit(open_store, replace(config, claims=True)).result()
        sharing = share_store(store, self._executor)
        assert sharing is not None
        self._sharing = sharing

    def close(self) -> None:
        self._sharing.close()
        self._executor.submit(self._store.close).result()


KINDS = ["memory", "edge", "owned", "server"] + (["real server"] if os.environ.get("QDRANT_URL") else [])
QUERY = Vectors((1.0, 0.2, 0.0, 0.5), SparseVector((1,), (1.0,)))
MakeChunk = Callable[..., SemanticChunk]
Mode = Literal["hybrid", "dense", "sparse"]


def searched(
    store: ChunkStore, query: Vectors, mode: Mode = "hybrid", filters: Any = None, **options: Any
) -> list[Hit]:
    """Search by one vector of the query or by both."""
    vectors = {"dense": query.dense, "sparse": query.sparse}
    rankings = tuple(Ranking(leg, vectors[leg]) for leg in vectors if mode in {leg, "hybrid"})
    return store.search(SearchRequest(rankings, filters=read_filters(filters), **options))


NewConfig = Callable[[], StoreConfig]


@pytest.fixture(scope="module", params=KINDS)
def new_config(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[NewConfig]:
    """Makes the configuration of a collection that is not there yet."""
    url, key, made = "", "", []
    owners: list[OwnedFolder] = []
    if request.param == "server":
        url, key = request.getfixturevalue("start_rest_double")(api_key="secret-key").url, "secret-key"
    elif request.param == "real server":
        url, key = os.environ["QDRANT_URL"], os.environ.get("QDRANT_API_KEY", "")

    def new() -> StoreConfig:
        made.append(f"test-{uuid4()}")
        folder = tmp_path_factory.mktemp("qdrant")
        kind = "memory" if request.param == "memory" else "auto"
        config = StoreConfig(url=url, api_key=key, folder=folder, collection=made[-1], kind=kind)
        if request.param == "owned":
            owners.append(OwnedFolder(config))
        return config

    yield new
    for owner in owners:
        owner.close()
    if request.param == "real server":
        client = QdrantClient(url=url, api_key=key or None, check_compatibility=False)
        for collection in made:
            client.delete_collection(collection)
        client.close()


@pytest.fixture
def config(new_config: NewConfig) -> StoreConfig:
    return new_config()


@pytest.fixture
def store(config: StoreConfig, collection_models: CollectionModels) -> Iterator[ChunkStore]:
    with open_store(config) as store:
        store.create(collection_models)
        yield store


@pytest.fixture(scope="module")
def six_chunks(
    new_config: NewConfig, collection_models: CollectionModels, make_chunk: MakeChunk
) -> Iterator[ChunkStore]:
    """A store that its tests only read."""
    chunks = [make_chunk(number) for number in range(6)]
    chunks[4] = replace(chunks[4], extra=ChunkExtra(table_id="t9", chunk_index=2))
    chunks[5] = replace(chunks[5], chunk_type="code")
    with open_store(new_config()) as store:
        store.create(collection_models)
        store.upsert(chunks)
        yield store


def bare(chunk: SemanticChunk) -> SemanticChunk:
    return replace(chunk, vectors=None)


def test_a_collection_that_was_not_made_has_no_models(config: StoreConfig) -> None:
    with open_store(config) as store:
        assert store.models() is None


def test_a_collection_remembers_its_models(store: ChunkStore, collection_models: CollectionModels) -> None:
    assert store.models() == collection_models


def test_making_a_collection_again_with_the_same_models_keeps_its_chunks(
    store: ChunkStore, make_chunk: MakeChunk, collection_models: CollectionModels
) -> None:
    store.upsert([make_chunk(1)])
    store.create(collection_models)
    assert store.count() == 1


def test_an_unknown_fingerprint_is_no_other_model(
    store: ChunkStore, collection_models: CollectionModels
) -> None:
    store.create(replace(collection_models, dense_fingerprint=""))
    assert store.models() == collection_models


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"dense": "other-dense"}, "'tiny-dense', asked for 'other-dense'"),
        ({"sparse": "other-sparse"}, "'tiny-sparse', asked for 'other-sparse'"),
        ({"dense_dimensions": 8}, "4, asked for 8"),
        ({"dense_fingerprint": "f2"}, "weights of tiny-dense 'f1', asked for 'f2'"),
    ],
)
def test_other_models_are_refused_and_both_named(
    store: ChunkStore, collection_models: CollectionModels, change: dict[str, Any], named: str
) -> None:
    with pytest.raises(StoreError, match=named) as refusal:
        store.create(replace(collection_models, **change))
    assert "another collection" in str(refusal.value)
    assert store.models() == collection_models


def test_a_stored_chunk_comes_back_as_it_went_in(store: ChunkStore, make_chunk: MakeChunk) -> None:
    chunk = make_chunk(
        1,
        section_path=("Guide", "Pipes: a > b", ""),
        content="Ünïcödé \u0000 🦆 \u202e عربى",
        extra=ChunkExtra(list_id="l1", item_range="1-5 of 20", suspicious=("ignore all",)),
        is_continuation=True,
        summary="Short.",
        context_before="Before.",
    )
    store.upsert([chunk])
    assert store.get([chunk.id]) == [bare(chunk)]
    assert list(store.scroll()) == [bare(chunk)]
    assert [hit.chunk for hit in searched(store, QUERY, limit=1)] == [bare(chunk)]


def test_upserting_the_same_chunk_twice_keeps_one(store: ChunkStore, make_chunk: MakeChunk) -> None:
    store.upsert([make_chunk(1), make_chunk(1)])
    store.upsert([make_chunk(1, content="Edited.")])
    assert [chunk.content for chunk in store.scroll()] == ["Edited."]


def test_more_chunks_than_a_batch_are_all_stored_and_scrolled(
    store: ChunkStore, make_chunk: MakeChunk
) -> None:
    store.upsert([make_chunk(number) for number in range(300)])
    assert store.count() == 300
    assert {chunk.position for chunk in store.scroll()} == set(range(300))


def test_nothing_upserted_is_no_error(store: ChunkStore) -> None:
    store.upsert([])
    assert store.count() == 0
    assert list(store.scroll()) == []
    assert searched(store, QUERY, limit=5) == []


def test_a_chunk_without_vectors_updates_the_payload_and_keeps_the_vectors(
    store: ChunkStore, make_chunk: MakeChunk
) -> None:
    store.upsert([make_chunk(number) for number in range(5)])
    before = [(hit.chunk.id, hit.score) for hit in searched(store, QUERY, limit=5)]
    store.upsert([make_chunk(2, vectors=None, content="Moved.", position=77)])
    assert store.get([make_chunk(2).id])[0].position == 77
    assert [(hit.chunk.id, hit.score) for hit in searched(store, QUERY, limit=5)] == before


def test_an_updated_payload_keeps_nothing_of_the_old_one(store: ChunkStore, make_chunk: MakeChunk) -> None:
    store.upsert([make_chunk(1, extra=ChunkExtra(table_id="t1"), embed_text="Unlike its content")])
    store.upsert([make_chunk(1, vectors=None)])
    assert store.get([make_chunk(1).id]) == [bare(make_chunk(1))]


def test_a_chunk_without_vectors_and_without_point_is_refused_before_anything_is_written(
    store: ChunkStore, make_chunk: MakeChunk
) -> None:
    with pytest.raises(StoreError, match=r"'d2_h1_1_chunk_2' .* has no vectors"):
        store.upsert([make_chunk(1), make_chunk(2, vectors=None)])
    assert store.count() == 0


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"vectors": Vectors((1.0, 2.0), SparseVector((1,), (1.0,)))}, "2 dimensions.*'tiny-dense' has 4"),
        ({"vectors": Vectors((float("nan"),) * 4, SparseVector((1,), (1.0,)))}, "dense .* no number"),
        ({"vectors": Vectors((1.0,) * 4, SparseVector((1, 2), (1.0,)))}, "2 indices and 1 values"),
        ({"vectors": Vectors((1.0,) * 4, SparseVector((3, 3), (1.0, 1.0)))}, "index twice"),
        ({"vectors": Vectors((1.0,) * 4, SparseVector((3,), (float("inf"),)))}, "sparse .* no number"),
        ({"id": "chunk-7"}, "'chunk-7' is no UUID"),
        ({"content": "half a pair: \ud800"}, "cannot be stored as JSON"),
    ],
)
def test_a_chunk_that_does_not_fit_is_named_and_nothing_is_written(
    store: ChunkStore, make_chunk: MakeChunk, change: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(StoreError, match=complaint) as refusal:
        store.upsert([make_chunk(1), make_chunk(2, **change)])
    assert "d2_h1_1_chunk_2" in str(refusal.value)
    assert store.count() == 0


def test_vectors_may_be_arrays(store: ChunkStore, make_chunk: MakeChunk) -> None:
    import numpy as np

    sparse = SparseVector(np.array([1, 9]), np.array([1.0, 2.0], dtype=np.float32))
    vectors = Vectors(np.array([1.0, 0.2, 0.0, 0.5], dtype=np.float32), sparse)
    store.upsert([make_chunk(1, vectors=vectors)])
    assert [hit.chunk.position for hit in searched(store, vectors, limit=3)] == [1]


def test_deleting_removes_what_is_there_and_ignores_the_rest(
    store: ChunkStore, make_chunk: MakeChunk
) -> None:
    store.upsert([make_chunk(number) for number in range(3)])
    store.delete([make_chunk(0).id, str(UUID(int=999)), "no-uuid"])
    store.delete([])
    assert {chunk.position for chunk in store.scroll()} == {1, 2}
    assert searched(store, QUERY, limit=5, filters={"document_id": "d0"}) == []


def test_get_answers_in_the_order_asked_and_leaves_out_the_unknown(
    store: ChunkStore, make_chunk: MakeChunk
) -> None:
    store.upsert([make_chunk(number) for number in range(4)])
    asked = [make_chunk(3).id, "no-uuid", str(UUID(int=999)), make_chunk(0).id]
    assert [chunk.position for chunk in store.get(asked)] == [3, 0]
    assert store.get([]) == []


def test_embed_hashes_are_those_of_one_document(store: ChunkStore, make_chunk: MakeChunk) -> None:
    store.upsert([make_chunk(number) for number in range(7)])
    assert store.embed_hashes("d1") == {make_chunk(n).id: f"embed-{n}" for n in (1, 4)}
    assert store.embed_hashes("unknown") == {}


@pytest.mark.parametrize(
    ("filters", "positions"),
    [
        ({}, {0, 1, 2, 3, 4, 5}),
        ({"document_id": "d1"}, {1, 4}),
        ({"source_url": "https://docs.example/d2"}, {2, 5}),
        ({"chunk_type": "code"}, {5}),
        ({"content_hash": "hash-3"}, {3}),
        ({"document_id": "d1", "position": "4"}, {4}),
        ({"document_id": "d1", "position": "5"}, set()),
        ({"section_path_list": "Part 2"}, {2}),
        ({"section_path": "Guide > Part 2"}, {2}),
        ({"extra.table_id": "t9"}, {4}),
        ({"extra.chunk_index": "2"}, {4}),
    ],
)
def test_filters_are_equalities_that_all_must_hold(
    six_chunks: ChunkStore, filters: dict[str, str], positions: set[int]
) -> None:
    assert six_chunks.count(filters=filters) == len(positions)
    assert {chunk.position for chunk in six_chunks.scroll(filters=filters)} == positions
    for mode in ("hybrid", "dense", "sparse"):
        found = searched(six_chunks, QUERY, limit=9, mode=mode, filters=filters)
        assert {hit.chunk.position for hit in found} == positions


@pytest.mark.parametrize(
    ("filters", "complaint"),
    [
        ({"colour": "red"}, "'colour': there is no such field .*chunk_type"),
        ({"position": "third"}, "position='third': the field holds a whole number"),
        ({"position": "9" * 40}, "position='9999.*': the field holds a whole number"),
        ({"is_continuation": "true"}, "'is_continuation': there is no such field of text or numbers"),
    ],
)
def test_a_filter_that_cannot_hold_is_refused(
    six_chunks: ChunkStore, filters: dict[str, str], complaint: str
) -> None:
    for use in (six_chunks.count, six_chunks.scroll, lambda **kw: searched(six_chunks, QUERY, limit=1, **kw)):
        with pytest.raises(StoreError, match=complaint):
            use(filters=filters)


def test_dense_search_ranks_by_cosine_similarity(store: ChunkStore, make_chunk: MakeChunk) -> None:
    directions = {
        0: (0.0, 2.0, 0.0, 0.0),
        1: (3.0, 3.0, 0.0, 0.0),
        2: (5.0, 0.0, 0.0, 0.0),
        3: (-1.0, 0.0, 0.0, 0.0),
    }
    sparse = SparseVector((1,), (1.0,))
    store.upsert([make_chunk(n, vectors=Vectors(dense, sparse)) for n, dense in directions.items()])
    hits = searched(store, Vectors((1.0, 0.0, 0.0, 0.0), SparseVector((), ())), limit=4, mode="dense")
    assert [hit.chunk.position for hit in hits] == [2, 1, 0, 3]
    assert [hit.score for hit in hits] == pytest.approx([1.0, 0.5**0.5, 0.0, -1.0], abs=1e-6)


def test_sparse_search_ranks_by_dot_product_and_leaves_out_what_shares_nothing(
    store: ChunkStore, make_chunk: MakeChunk
) -> None:
    weights = {0: {5: 1.0, 6: 1.0}, 1: {5: 3.0}, 2: {7: 9.0}, 3: {6: 0.5, 7: 1.0}}
    store.upsert(
        [
            make_chunk(n, vectors=Vectors((1.0, 0.0, 0.0, 0.0), SparseVector(tuple(w), tuple(w.values()))))
            for n, w in weights.items()
        ]
    )
    hits = searched(store, Vectors((), SparseVector((6, 5), (2.0, 1.0))), limit=4, mode="sparse")
    assert [hit.chunk.position for hit in hits] == [0, 1, 3]
    assert [hit.score for hit in hits] == pytest.approx([3.0, 3.0, 1.0])


def test_hybrid_search_scores_by_reciprocal_rank_with_sixty(store: ChunkStore, make_chunk: MakeChunk) -> None:
    dense = {0: 0.0, 1: 1.0, 2: 2.0, 3: 3.0}
    sparse = {3: 4.0, 0: 3.0, 2: 2.0}
    chunks = []
    for n, slope in dense.items():
        weights = SparseVector((5,), (sparse[n],)) if n in sparse else SparseVector((9,), (1.0,))
        chunks.append(make_chunk(n, vectors=Vectors((1.0, slope, 0.0, 0.0), weights)))
    store.upsert(chunks)
    hits = searched(store, Vectors((1.0, 0.0, 0.0, 0.0), SparseVector((5,), (1.0,))), limit=4)
    expected = {0: 1 / 61 + 1 / 62, 3: 1 / 64 + 1 / 61, 2: 1 / 63 + 1 / 63, 1: 1 / 62}
    assert [hit.chunk.position for hit in hits] == list(expected)
    assert [hit.score for hit in hits] == pytest.approx(list(expected.values()), rel=1e-5)


def test_chunks_of_equal_score_come_in_the_order_of_their_ids(
    store: ChunkStore, make_chunk: MakeChunk
) -> None:
    last = 11
    chunks = [
        make_chunk(n, vectors=Vectors((1.0, n / 10, 0.0, 0.0), SparseVector((5,), (1.0 + n,))))
        for n in range(last + 1)
    ]
    store.upsert(chunks)
    query = Vectors((1.0, 0.0, 0.0, 0.0), SparseVector((5,), (1.0,)))
    for limit in (1, 3, 5, 6) * 5:
        # Chunk n is nth by one vector and nth from the end by the other: n and its mirror image tie.
        mirrored = [n for pair in zip(range(6), range(last, 5, -1), strict=True) for n in pair]
        assert [hit.chunk.position for hit in searched(store, query, limit=limit)] == mirrored[:limit]


def test_a_hit_unpacks_as_chunk_and_score(store: ChunkStore, make_chunk: MakeChunk) -> None:
    store.upsert([make_chunk(1)])
    [(chunk, score)] = searched(store, QUERY, limit=1, mode="dense")
    assert chunk.position == 1
    assert score == pytest.approx(0.9962, abs=1e-3)


def test_a_sparse_vector_without_entries_is_stored_and_finds_nothing(
    store: ChunkStore, make_chunk: MakeChunk
) -> None:
    empty = SparseVector((), ())
    store.upsert([make_chunk(1, vectors=Vectors((1.0, 0.0, 0.0, 0.0), empty)), make_chunk(2)])
    query = Vectors((1.0, 0.0, 0.0, 0.0), empty)
    assert [hit.chunk.position for hit in searched(store, query, limit=3)] == [1, 2]
    assert searched(store, query, limit=3, mode="sparse") == []
    assert [hit.chunk.position for hit in searched(store, QUERY, limit=3, mode="sparse")] == [2]


def test_no_chunk_is_found_twice_and_no_more_than_asked(store: ChunkStore, make_chunk: MakeChunk) -> None:
    store.upsert([make_chunk(number) for number in range(70)])
    for mode in ("hybrid", "dense", "sparse"):
        found = [hit.chunk.id for hit in searched(store, QUERY, limit=60, mode=mode)]
        assert len(found) == len(set(found)) == 60


@pytest.mark.parametrize(
    ("query", "limit", "complaint"),
    [
        (Vectors((1.0, 0.0), SparseVector((1,), (1.0,))), 3, "query.* 2 dimensions.*has 4"),
        (Vectors((1.0,) * 4, SparseVector((1, 1), (1.0, 1.0))), 3, "query.*index twice"),
        (QUERY, 0, "0 hits"),
    ],
)
def test_a_query_that_does_not_fit_is_refused(
    six_chunks: ChunkStore, query: Vectors, limit: int, complaint: str
) -> None:
    with pytest.raises(StoreError, match=complaint):
        searched(six_chunks, query, limit=limit)


def test_optimising_and_flushing_change_no_answer(store: ChunkStore, make_chunk: MakeChunk) -> None:
    store.upsert([make_chunk(number) for number in range(20)])
    before = [(hit.chunk, hit.score) for hit in searched(store, QUERY, limit=8)]
    store.optimize()
    store.flush()
    assert [(hit.chunk, hit.score) for hit in searched(store, QUERY, limit=8)] == before


def test_erasing_changes_no_answer_and_later_writes_count(store: ChunkStore, make_chunk: MakeChunk) -> None:
    store.upsert([make_chunk(number) for number in range(20)])
    store.delete([make_chunk(number).id for number in range(5)])
    before = [hit.chunk for hit in searched(store, QUERY, "dense", limit=8)]
    for _ in range(2):
        store.erase()
        assert [hit.chunk for hit in searched(store, QUERY, "dense", limit=8)] == before
    store.upsert([make_chunk(1), replace(make_chunk(7), document_title="Another")])
    store.delete([make_chunk(8).id])
    assert store.count() == 15
    (chunk,) = store.get([make_chunk(7).id])
    assert chunk.document_title == "Another"


ASKS = ["upsert", "search", "count", "scroll", "get", "delete", "embed_hashes"]


@pytest.mark.parametrize("ask", ASKS)
def test_a_collection_that_was_not_made_says_so(config: StoreConfig, make_chunk: MakeChunk, ask: str) -> None:
    with open_store(config) as store, pytest.raises(StoreError, match="does not exist"):
        call(store, ask, make_chunk)


def test_a_closed_store_says_so_and_closing_twice_is_fine(
    store: ChunkStore, make_chunk: MakeChunk, collection_models: CollectionModels
) -> None:
    store.close()
    store.close()
    for ask in ASKS:
        with pytest.raises(StoreError, match="is closed"):
            call(store, ask, make_chunk)
    with pytest.raises(StoreError, match="is closed"):
        store.create(collection_models)


def call(store: ChunkStore, ask: str, make_chunk: MakeChunk) -> None:
    match ask:
        case "upsert":
            store.upsert([make_chunk(1)])
        case "search":
            searched(store, QUERY, limit=1)
        case "scroll":
            list(store.scroll())
        case "get" | "delete":
            getattr(store, ask)([make_chunk(1).id])
        case "embed_hashes":
            store.embed_hashes("d1")
        case _:
            store.count()


def test_every_point_is_read_with_its_own_id_payload_and_vectors(
    store: ChunkStore, make_chunk: MakeChunk
) -> None:
    chunks = {chunk.id: chunk for chunk in map(make_chunk, range(600))}
    chunks[make_chunk(0).id] = make_chunk(0, vectors=Vectors((1.0, 0.0, 0.0, 0.0), SparseVector((), ())))
    store.upsert(list(chunks.values()))
    points = {point.id: point for point in store.points()}
    assert points.keys() == chunks.keys()
    for each, point in points.items():
        assert point.payload["content"] == chunks[each].content
        assert point.dense is not None
        assert len(point.dense) == 4
        indices = point.sparse.indices if point.sparse else ()
        assert sorted(indices) == sorted(chunks[each].vectors.sparse.indices)  # type: ignore[union-attr]

import logging
from collections.abc import Iterator
from dataclasses import replace
from uuid import UUID

import pytest

from ragcrawler.items import ChunkExtra, SemanticChunk, SparseVector, Vectors
from ragcrawler.llm.protocol import LanguageModelError
from ragcrawler.llm.scripted import ScriptedModel
from ragcrawler.retrieval import CollectionRetriever, SearchOptions
from ragcrawler.retrieval.search.expand_by_model import ModelExpander
from ragcrawler.retrieval.search.query_plan import QueryPlan
from ragcrawler.retrieval.search.search_options import HybridPart, RetrievalMode
from ragcrawler.stores import ChunkStore, CollectionModels, StoreConfig, StoreError, open_store

# A passage, the angle of its dense vector, the weight of its one sparse entry.
PASSAGES = {
    "Rotate the logs with logrotate.": (0.0, 1.0),
    "Error INC-2023-Q4 means a full disk.": (0.1, 3.0),
    "Backups run at night.": (0.2, 2.0),
}


class Angles:
    """A dense embedder whose every question points the same way; counts what it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed_query(self, text: str) -> list[float]:
        self.asked.append(text)
        return [1.0, 0.0]


class Weights(Angles):
    """Its sparse twin."""

    def embed_query(self, text: str) -> SparseVector:
        self.asked.append(text)
        return SparseVector((7,), (1.0,))


def chunk(number: int, content: str, angle: float, weight: float) -> SemanticChunk:
    return SemanticChunk(
        id=str(UUID(int=number + 1)),
        chunk_id=f"chunk_{number}",
        document_id=f"d{number}",
        content=content,
        content_hash="",
        token_count=1,
        embed_text=f"Handbook\n\n{content}",
        start=0,
        end=1,
        position=number,
        vectors=Vectors((1.0, angle), SparseVector((7,), (weight,))),
    )


@pytest.fixture
def store() -> ChunkStore:
    store = open_store(StoreConfig(kind="memory"))
    store.create(CollectionModels("angles", 2, "weights"))
    store.upsert([chunk(n, content, *vectors) for n, (content, vectors) in enumerate(PASSAGES.items())])
    return store


@pytest.fixture
def retriever(store: ChunkStore) -> Iterator[CollectionRetriever]:
    with CollectionRetriever(store, Angles(), Weights()) as retriever:
        yield retriever


@pytest.mark.parametrize(
    ("mode", "positions"),
    [("dense", [0, 1, 2]), ("sparse", [1, 2, 0]), ("hybrid", [1, 0, 2]), ("bm25", [1])],
)
def test_each_mode_ranks_in_its_own_way(retriever, mode: str, positions: list[int]) -> None:
    hits = retriever.search("what is INC-2023-Q4?", 3, mode=mode)
    assert [chunk.position for chunk, score in hits] == positions
    assert [score for chunk, score in hits] == sorted((score for chunk, score in hits), reverse=True)


@pytest.mark.parametrize(
    ("mode", "dense", "sparse"),
    [("dense", 1, 0), ("sparse", 0, 1), ("hybrid", 1, 1), ("bm25", 0, 0)],
)
def test_a_mode_asks_only_the_embedders_that_it_needs(store, mode: str, dense: int, sparse: int) -> None:
    angles, weights = Angles(), Weights()
    CollectionRetriever(store, angles, weights).search("logs", mode=mode)
    assert (len(angles.asked), len(weights.asked)) == (dense, sparse)


@pytest.mark.parametrize("mode", ["dense", "sparse", "hybrid", "bm25"])
def test_filters_hold_in_every_mode(retriever, mode: str) -> None:
    hits = retriever.search("Handbook", 3, mode=mode, filters={"document_id": "d2"})
    assert [hit.chunk.position for hit in hits] == [2]
    with pytest.raises(StoreError, match="'colour'"):
        retriever.search("Handbook", 3, mode=mode, filters={"colour": "red"})


@pytest.mark.parametrize("mode", ["dense", "sparse", "hybrid", "bm25"])
def test_no_more_than_k_are_found(retriever, mode: str) -> None:
    assert len(retriever.search("Handbook", 2, mode=mode)) == 2


def test_the_lexical_index_sees_chunks_added_and_removed_later(store, retriever) -> None:
    assert retriever.search("zebra", mode="bm25") == []
    store.upsert([chunk(9, "A zebra.", 0.5, 1.0)])
    assert [hit.chunk.position for hit in retriever.search("zebra", mode="bm25")] == [9]
    store.delete([str(UUID(int=10))])
    assert retriever.search("zebra", mode="bm25") == []


def test_the_reranker_gets_records_and_decides_the_order(store, caplog) -> None:
    seen = []

    def reranker(docs, query_text, k):
        seen.extend(docs)
        return [docs[2]["id"], "invented", docs[0]["id"], docs[0]["id"], docs[1]["id"]]

    retriever = CollectionRetriever(store, Angles(), Weights(), reranker=reranker)
    with caplog.at_level(logging.WARNING):
        hits = retriever.search("logs", 2, mode="dense")
    assert [hit.chunk.position for hit in hits] == [2, 0]
    assert [record["content"] for record in seen] == list(PASSAGES)
    assert "invented" in caplog.text


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"query": "x", "mode": "magic"}, "'magic': choose hybrid, dense, sparse, bm25"),
        ({"query": " \n"}, "query is empty"),
        ({"query": "x", "k": 0}, "0 hits"),
    ],
)
def test_what_cannot_be_asked_is_refused(retriever, arguments: dict, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        retriever.search(**arguments)


@pytest.mark.parametrize("mode", ["dense", "sparse", "hybrid", "bm25"])
def test_a_collection_that_is_not_there_is_said_before_a_model_is_asked(mode: str) -> None:
    angles, weights = Angles(), Weights()
    retriever = CollectionRetriever(open_store(StoreConfig(kind="memory")), angles, weights)
    with pytest.raises(StoreError, match="does not exist"):
        retriever.search("x", mode=mode)
    assert angles.asked == weights.asked == []


def test_closing_closes_the_store(store, retriever) -> None:
    retriever.close()
    retriever.close()
    with pytest.raises(StoreError, match="is closed"):
        store.count()


def test_the_default_options_hold_where_none_are_given(store) -> None:
    options = SearchOptions(weights={"bm25": 1.0, "dense": 0.0}, per_document=1)
    retriever = CollectionRetriever(store, Angles(), Weights(), options=options)
    assert [hit.chunk.position for hit in retriever.search("error on a full disk")] == [1]
    assert len(retriever.search("error", options=SearchOptions())) == 3


@pytest.mark.parametrize(
    ("options", "positions"),
    [
        ({"weights": {"dense": 1.0}}, [0, 1, 2]),
        ({"weights": {"sparse": 1.0}}, [1, 2, 0]),
        ({"weights": {"dense": 9.0, "sparse": 1.0}}, [0, 1, 2]),
        ({"weights": {"dense": 1.0, "bm25": 1.0}}, [2, 0, 1]),
        ({"weights": {"dense": 1.0, "sparse": 1.0, "bm25": 1.0}}, [2, 1, 0]),
        ({"offset": 1, "weights": {"dense": 1.0}}, [1, 2]),
        ({"score_threshold": 0.99, "weights": {"dense": 1.0}}, [0, 1]),
        ({"diversity": 1.0, "weights": {"dense": 1.0}}, [0, 2, 1]),
    ],
)
def test_options_choose_rankings_and_what_is_left_of_them(retriever, options, positions: list[int]) -> None:
    hits = retriever.search("backups", 3, options=SearchOptions(**options))
    assert [hit.chunk.position for hit in hits] == positions


def test_a_ranking_that_is_not_known_is_refused(retriever) -> None:
    with pytest.raises(ValueError, match="no ranking 'bm26'"):
        retriever.search("x", options=SearchOptions(weights={"bm26": 1.0}))


def test_a_hybrid_search_without_rankings_is_refused(retriever) -> None:
    with pytest.raises(ValueError, match="needs a ranking"):
        retriever.search("x", options=SearchOptions(weights={"dense": 0.0}))


def test_what_the_reranker_made_of_it_is_told(store) -> None:
    def failing(docs, query_text, k):
        raise ConnectionError("refused")

    plain = CollectionRetriever(store, Angles(), Weights()).find("x")
    told = CollectionRetriever(store, Angles(), Weights(), reranker=failing).find("x")
    done = CollectionRetriever(store, Angles(), Weights(), reranker=lambda docs, *_: [docs[0]["id"]]).find(
        "x"
    )
    assert told.hits == plain.hits == done.hits
    assert (plain.reranked, told.reranked, done.reranked) == (False, False, True)
    assert (plain.rerank_failure, done.rerank_failure) == ("", "")
    assert told.rerank_failure == "the reranker failed (ConnectionError: refused)"


def test_an_offset_counts_in_the_rerankers_order(store) -> None:
    def backwards(docs, query_text, k):
        return [each["id"] for each in reversed(docs)]

    retriever = CollectionRetriever(store, Angles(), Weights(), reranker=backwards)
    hits = retriever.search("x", 2, mode="dense", options=SearchOptions(offset=1))
    assert [hit.chunk.position for hit in hits] == [1, 0]


@pytest.mark.parametrize("mode", ["dense", "sparse", "hybrid", "bm25"])
def test_an_empty_collection_and_a_filter_that_matches_nothing_find_nothing(store, mode: str) -> None:
    retriever = CollectionRetriever(store, Angles(), Weights(), reranker=lambda *_: pytest.fail("asked"))
    assert retriever.search("x", mode=mode, filters={"document_id": "nowhere"}) == []
    store.delete([chunk.id for chunk in store.scroll()])
    assert retriever.search("x", mode=mode) == []


@pytest.mark.parametrize("mode", ["dense", "sparse", "hybrid", "bm25"])
def test_a_very_long_query_is_cut_with_a_warning(store, mode: str, caplog) -> None:
    angles, weights = Angles(), Weights()
    query = "disk " * 1_999 + "disks" + " and more" * 5_000
    with caplog.at_level(logging.WARNING):
        hits = CollectionRetriever(store, angles, weights).search(query, 3, mode=mode)
    assert hits
    assert {len(each) for each in angles.asked + weights.asked} <= {10_000}
    assert f"has {len(query)} characters; the first 10000 count" in caplog.text


def test_other_wordings_are_searched_too_and_fused_by_rank(store) -> None:
    model = ScriptedModel([{"questions": ["backups", " ", "disk", "backups", "logs", "more"]}])
    retriever = CollectionRetriever(store, Angles(), Weights(), expander=ModelExpander(model))
    hits = retriever.search("logrotate and logs", 3, mode="bm25")
    assert [hit.chunk.position for hit in hits] == [0, 1, 2]
    assert [hit.score for hit in hits] == pytest.approx([2 / 61, 1 / 61, 1 / 61])
    assert "logrotate and logs" in model.prompts[0].material


def test_offset_and_groups_hold_for_other_wordings(store) -> None:
    retriever = CollectionRetriever(store, Angles(), Weights(), expander=lambda query: ["backups", "disk"])
    options = SearchOptions(offset=1, per_document=1)
    assert [hit.chunk.position for hit in retriever.search("logs", 1, mode="bm25", options=options)] == [1]


@pytest.mark.parametrize("line", [LanguageModelError("away"), {"wordings": []}, {"questions": []}])
def test_without_other_wordings_the_question_is_searched_as_it_stands(store, line, caplog) -> None:
    expander = ModelExpander(ScriptedModel([line]))
    with caplog.at_level(logging.WARNING):
        hits = CollectionRetriever(store, Angles(), Weights(), expander=expander).search("logs", mode="bm25")
    assert [hit.chunk.position for hit in hits] == [0]
    assert ("searched as it stands" in caplog.text) is (line != {"questions": []})


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("what changed in 1.2?", True),
        ("is v3.0.1 out", True),
        ("Borg 1.2.0b3", True),
        ("how do I rotate the logs?", False),
        ("chapter 3", False),
        ("a.1.2.c", False),
    ],
)
def test_a_question_that_names_a_version_is_known(query: str, named: bool) -> None:
    assert QueryPlan.of(query).names_version == named


@pytest.mark.parametrize(
    ("query", "mode", "expected"),
    [
        ("explicit locking", "hybrid", 0.7),
        ("explicit locking", "bm25", 0.0),
        ("how do I lock rows?", "hybrid", 0.0),
        ("why is it locked", "hybrid", 0.0),
    ],
)
def test_links_count_for_what_is_no_question(
    retriever: CollectionRetriever, query: str, mode: RetrievalMode, expected: float
) -> None:
    options = SearchOptions(weights={"bm25": 1.0, "links": 0.7})
    assert retriever.request(QueryPlan.of(query), 5, mode, None, options).link_weight == expected


@pytest.mark.parametrize(
    ("query", "weights", "first"),
    [
        ("the disk", {}, 1),
        ("the disk", {"listing": 1.0}, 2),
        ("the disk of 1.2", {"listing": 1.0}, 1),
    ],
)
def test_a_listing_counts_less_unless_a_version_is_asked_for(
    retriever: CollectionRetriever,
    store: ChunkStore,
    query: str,
    weights: dict[HybridPart, float],
    first: int,
) -> None:
    chunk = next(each for each in store.scroll() if each.position == 1)
    store.upsert([replace(chunk, extra=ChunkExtra(kind="changelog"))])
    options = SearchOptions(weights={"sparse": 1.0} | weights)
    assert retriever.search(query, 1, options=options)[0].chunk.position == first

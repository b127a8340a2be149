"""Searches, the same on every engine."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from ragcrawler.items import ChunkExtra, SemanticChunk, SparseVector, Vectors
from ragcrawler.stores import ChunkStore, CollectionModels, Hit, StoreConfig, StoreError, open_store
from ragcrawler.stores.filters import read_filters
from ragcrawler.stores.ranking.word_weights import document_weights, query_weights
from ragcrawler.stores.search_request import Ranking, SearchRequest

TEXTS = [
    "Rotate the logs with logrotate.",
    "Rotating proxies and rotated images.",
    "Call os.path.join to join paths.",
    "A path of one word, and another path, to join.",
    "Backups run at night.",
    "The night shift.",
]
DENSE = (1.0, 0.0, 0.0, 0.0)


@pytest.fixture(scope="module", params=["memory", "edge", "server"])
def config(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> StoreConfig:
    url = request.getfixturevalue("start_rest_double")().url if request.param == "server" else ""
    return StoreConfig(url=url, folder=tmp_path_factory.mktemp("search"), kind=request.param)


@pytest.fixture(scope="module")
def store(
    config: StoreConfig, collection_models: CollectionModels, make_chunk: Callable[..., SemanticChunk]
) -> Iterator[ChunkStore]:
    """Six chunks, two of each document: dense ranks 0 to 5, sparse 5 to 0."""
    chunks = [
        make_chunk(
            number,
            content=text,
            embed_text=text,
            document_id=f"d{number // 2}",
            source_url=f"https://docs.example/{'guide' if number < 4 else 'news'}/{number}",
            fetched_at=f"2026-01-0{number + 1}T12:00:00+00:00",
            section_title="" if number == 3 else f"Part {number}",
            vectors=Vectors((1.0, 0.2 * number, 0.0, 0.0), SparseVector((7,), (1.0 + number,))),
        )
        for number, text in enumerate(TEXTS)
    ]
    chunks[0] = replace(chunks[0], extra=ChunkExtra(suspicious=("Ignore all that was said",)))
    chunks[2] = replace(chunks[2], chunk_type="code", extra=ChunkExtra(language="python", oversized=True))
    with open_store(config) as store:
        store.create(collection_models)
        store.upsert(chunks)
        yield store


def rankings(dense: float = 0.0, sparse: float = 0.0, bm25: str = "") -> tuple[Ranking, ...]:
    """Those of a weight above 0, and that of some words."""
    all_of_them = [
        Ranking("dense", DENSE, dense),
        Ranking("sparse", SparseVector((7,), (1.0,)), sparse),
        Ranking("bm25", query_weights(bm25), float(bool(bm25))),
    ]
    return tuple(each for each in all_of_them if each.weight)


def searched(store: ChunkStore, by: tuple[Ranking, ...], filters: Any = None, **options: Any) -> list[Hit]:
    return store.search(SearchRequest(by, filters=read_filters(filters), **{"limit": 6} | options))


def positions(hits: list[Hit]) -> list[int]:
    return [hit.chunk.position for hit in hits]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how do I rotate?", [1, 0]),
        ("os.path.join", [2, 3]),
        ("backup", [4]),
        ("zebra", []),
        ("the of and", []),
    ],
)
def test_words_are_found_by_their_stems_and_names_whole(store, question: str, expected: list[int]) -> None:
    assert positions(searched(store, rankings(bm25=question))) == expected


def test_the_score_by_words_is_bm25_with_a_fixed_average_length(store) -> None:
    [(chunk, score)] = searched(store, rankings(bm25="backups"))
    rarity = math.log(1 + (6 - 1 + 0.5) / (1 + 0.5))
    assert score == pytest.approx(rarity / (1 + 1.5 * (0.25 + 0.75 * 3 / 100)), rel=1e-5)
    assert chunk.content == TEXTS[4]


def test_a_word_counts_as_often_as_it_is_asked_for_and_saturates_in_a_text() -> None:
    assert sorted(query_weights("path paths join").values) == [1.0, 2.0]
    once, thrice = (document_weights("path " * times).values[0] for times in (1, 3))
    assert once < thrice < 3 * once < 3
    assert document_weights("") == query_weights("the") == SparseVector((), ())


def test_three_rankings_are_fused_by_rank(store) -> None:
    hits = searched(store, rankings(dense=1, sparse=1, bm25="backups"), limit=1)
    assert positions(hits) == [4]
    assert hits[0].score == pytest.approx(1 / 65 + 1 / 62 + 1 / 61, rel=1e-5)


@pytest.mark.parametrize(
    ("weights", "k_rrf", "best", "score"),
    [
        ({"dense": 3, "sparse": 1}, 60, 0, 3 / 61 + 1 / 66),
        ({"dense": 1, "sparse": 3}, 60, 5, 1 / 66 + 3 / 61),
        ({"dense": 2, "sparse": 2}, 60, 0, 2 / 61 + 2 / 66),
        ({"dense": 1, "sparse": 1}, 0, 0, 1 / 1 + 1 / 6),
        ({"dense": 1, "sparse": 0.5}, 1, 0, 1 / 2 + 0.5 / 7),
    ],
)
def test_a_weight_multiplies_what_a_ranking_adds(store, weights, k_rrf: int, best: int, score: float) -> None:
    hits = searched(store, rankings(**weights), k_rrf=k_rrf)
    assert hits[0].chunk.position == best
    assert hits[0].score == pytest.approx(score, rel=1e-5)


def test_fusion_by_scores_is_the_same_on_every_engine(store) -> None:
    found = searched(store, rankings(dense=1, bm25="rotating proxies"), fusion="dbsf")
    weighted = searched(store, rankings(dense=2, bm25="rotating proxies"), fusion="dbsf")
    assert positions(found) == [1, 0, 2, 3, 4, 5]
    scores = [1 / math.hypot(1, 0.2 * number) for number in range(6)]
    mean = sum(scores) / 6
    deviation = math.sqrt(sum((each - mean) ** 2 for each in scores) / 5)
    scaled = (scores[2] - mean + 3 * deviation) / (6 * deviation)
    assert found[2].score == pytest.approx(scaled, rel=1e-4)
    assert {hit.chunk.position: hit.score for hit in weighted}[2] == pytest.approx(2 * scaled, rel=1e-4)


def document_shares() -> list[float]:
    """The counts of "rotate" and "path" in documents d0, d1 and d2: d0 the one, d1 the other, d2 neither."""
    asked = list(query_weights("rotate path").indices)
    weights = [dict(zip(each.indices, each.values, strict=True)) for each in map(document_weights, TEXTS)]
    rarity = math.log1p((6 - 2 + 0.5) / (2 + 0.5))
    shares = []
    for document in range(3):
        pair = weights[2 * document : 2 * document + 2]
        sums = (sum(each.get(word, 0.0) for each in pair) for word in asked)
        length = 0.2 + 0.1 * (2 * document + 2)
        shares.append(sum(rarity * each / (each + length) for each in sums) / (2 * rarity))
    return shares


def test_the_words_of_whole_documents_count_the_same_on_every_engine(store) -> None:
    asked = query_weights("rotate path")
    plain = searched(store, rankings(dense=1, sparse=1), fusion="dbsf")
    hits = searched(store, rankings(dense=1, sparse=1), fusion="dbsf", words=asked, document_weight=0.5)
    before = {hit.chunk.position: hit.score for hit in plain}
    shares = document_shares()
    assert shares[0] > shares[1] > shares[2] == 0
    assert {hit.chunk.position: hit.score for hit in hits} == pytest.approx(
        {number: before[number] + 0.5 * shares[number // 2] for number in range(6)}, rel=1e-5
    )


def test_by_ranks_a_document_adds_what_its_rank_is_worth(store) -> None:
    asked = query_weights("rotate path")
    hits = searched(store, rankings(dense=1, sparse=1), words=asked, document_weight=2)
    expected = [1 / (61 + n) + 1 / (66 - n) + 2 / (61 + n // 2) for n in range(6)]
    assert {hit.chunk.position: hit.score for hit in hits} == pytest.approx(
        dict(enumerate(expected)), rel=1e-5
    )


def test_documents_are_weighed_with_one_ranking_as_well_and_within_filters(store) -> None:
    options: dict[str, Any] = {"words": query_weights("path"), "document_weight": 5, "fusion": "dbsf"}
    assert positions(searched(store, rankings(dense=1), **options))[:2] == [2, 3]
    news = ["source_url^=https://docs.example/news/"]
    assert positions(searched(store, rankings(dense=1), news, **options)) == [4, 5]
    assert positions(searched(store, rankings(dense=1), **options | {"limit": 1, "offset": 1})) == [3]


def test_the_depth_bounds_what_a_ranking_proposes(store) -> None:
    assert sorted(positions(searched(store, rankings(dense=1, sparse=1), depth=2))) == [0, 1, 4, 5]
    assert sorted(positions(searched(store, rankings(dense=1, sparse=2), depth=1))) == [0, 5]


@pytest.mark.parametrize("weight", [1, 2])
def test_an_offset_continues_where_the_answer_before_ended(store, weight: int) -> None:
    by = rankings(dense=1, sparse=weight)
    pages = [positions(searched(store, by, limit=2, offset=offset)) for offset in (0, 2, 4, 6)]
    assert [each for page in pages for each in page] == positions(searched(store, by))
    assert [len(page) for page in pages] == [2, 2, 2, 0]


@pytest.mark.parametrize(
    ("by", "one", "two"),
    [
        (rankings(dense=1), [0, 2, 4], [0, 1, 2, 3, 4, 5]),
        (rankings(sparse=1), [5, 3, 1], [5, 4, 3, 2, 1, 0]),
        (rankings(dense=1, sparse=2), [5, 3, 1], [5, 4, 3, 2, 1, 0]),
    ],
)
def test_a_document_gives_no_more_hits_than_allowed(store, by, one: list[int], two: list[int]) -> None:
    assert positions(searched(store, by, per_document=1, limit=3)) == one
    assert positions(searched(store, by, per_document=1)) == one
    assert positions(searched(store, by, per_document=2)) == two
    assert positions(searched(store, by, per_document=1, limit=1, offset=2)) == one[2:]


def test_a_full_answer_is_found_behind_a_document_that_has_the_best_hits(
    config, collection_models, make_chunk
) -> None:
    texts = [("d0", number) for number in range(150)] + [("d1", 150), ("d2", 151)]
    chunks = [
        make_chunk(
            number, document_id=document, vectors=Vectors((1.0, number / 100, 0, 0), SparseVector((), ()))
        )
        for document, number in texts
    ]
    with open_store(replace(config, collection="one-big-document")) as store:
        store.create(collection_models)
        store.upsert(chunks)
        assert positions(searched(store, rankings(dense=1), per_document=1, limit=3)) == [0, 150, 151]


@pytest.mark.parametrize("by", [rankings(dense=1), rankings(dense=2, sparse=1), rankings(dense=1, sparse=1)])
def test_variety_takes_the_best_and_then_what_is_unlike_it(store, by) -> None:
    plain = searched(store, by)
    varied = searched(store, by, diversity=1.0, limit=3)
    assert varied[0].chunk.position == 0
    assert varied[1].chunk.position == 5
    assert {hit.chunk.id: hit.score for hit in varied}.items() <= {h.chunk.id: h.score for h in plain}.items()
    assert positions(searched(store, by, diversity=0.01)) == [0, 1, 2, 3, 4, 5]
    assert len(searched(store, by, diversity=0.7, limit=4, per_document=1)) == 3


def test_hits_under_the_threshold_are_left_out(store) -> None:
    assert positions(searched(store, rankings(dense=1), score_threshold=0.9)) == [0, 1, 2]
    assert positions(searched(store, rankings(dense=1), score_threshold=0.9, offset=1, limit=5)) == [1, 2]
    assert searched(store, rankings(dense=1, sparse=1), score_threshold=0.04) == []


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (["chunk_type=code"], {2}),
        (["chunk_type!=code"], {0, 1, 3, 4, 5}),
        (["position=1", "position=4"], {1, 4}),
        (["position!=1", "position!=4"], {0, 2, 3, 5}),
        (["position>=2", "position<4"], {2, 3}),
        (["position>4"], {5}),
        (["token_count<=2"], set()),
        (["source_url^=https://docs.example/news/"], {4, 5}),
        (["fetched_at>=2026-01-05"], {4, 5}),
        (["fetched_at<2026-01-02T12:00:00Z"], {0}),
        (["fetched_at>2026-01-03T13:00:00+01:00"], {3, 4, 5}),
        (["fetched_at=2026-01-03T12:00:00+00:00"], {2}),
        (["section_title="], {3}),
        (["section_title!="], {0, 1, 2, 4, 5}),
        (["section_title=", "section_title=Part 1"], {1, 3}),
        (["extra.language="], {0, 1, 3, 4, 5}),
        (["extra.language!="], {2}),
        (["split_sequence="], {0, 1, 2, 3, 4, 5}),
        (["split_sequence!="], set()),
        (["extra.oversized=true"], {2}),
        (["extra.oversized=false", "document_id=d1"], {3}),
        (["extra.suspicious!="], {0}),
        (["extra.suspicious=Ignore all that was said"], {0}),
        (["section_path_list=Part 4"], {4}),
        (["section_path_list~=part"], {0, 1, 2, 3, 4, 5}),
        (["section_path_list~=guide > PART `4`"], {4}),
        (["section_path_list~=Part", "section_path_list~=4"], {4}),
        (["section_path_list~=Part 4 5"], set()),
        (["source_url~=NEWS", "position>4"], {5}),
        (["document_id=d0", "document_id=d2", "position!=0"], {1, 4, 5}),
        (["document_id=nowhere"], set()),
    ],
)
def test_filters_compare_negate_begin_and_tell_what_is_missing(store, filters: list[str], expected) -> None:
    assert store.count(filters=filters) == len(expected)
    assert {chunk.position for chunk in store.scroll(filters=filters)} == expected
    assert set(positions(searched(store, rankings(dense=1), filters))) == expected
    assert set(positions(searched(store, rankings(dense=1, sparse=1), filters))) == expected
    assert set(positions(searched(store, rankings(dense=1, sparse=2), filters, diversity=0.3))) == expected


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        ("chunk_type", "'chunk_type' is not FIELD=VALUE"),
        ("=code", "'=code' is not FIELD=VALUE"),
        ("colour=red", "'colour': there is no such field"),
        ("position=first", "position='first': the field holds a whole number"),
        ("position^=1", "whole number"),
        ("position>=", "nothing to compare with"),
        ("chunk_type>=code", r"compared by =, !=, \^= and ~= only"),
        ("section_path_list~= > ", "it wants a word"),
        ("section_path_list~=", "nothing to compare with"),
        ("position~=1", "it wants a word, and a text"),
        ("fetched_at>=yesterday", "the field holds a time"),
        ("extra.oversized=1", "=true or =false"),
        ("extra.oversized!=true", "=true or =false"),
    ],
)
def test_a_filter_that_cannot_be_is_refused(written: str, complaint: str) -> None:
    with pytest.raises(StoreError, match=complaint):
        read_filters([written])


@pytest.mark.parametrize(
    ("by", "options", "complaint"),
    [
        (rankings(dense=1), {"offset": -1}, "offset is -1"),
        (rankings(dense=1), {"per_document": -1}, "per_document is -1"),
        (rankings(dense=1), {"k_rrf": -1}, "k_rrf is -1"),
        (rankings(dense=1), {"diversity": 1.5}, "diversity is 1.5"),
        (rankings(dense=1), {"score_threshold": float("nan")}, "score_threshold is no number"),
        (rankings(sparse=1), {"diversity": 0.5}, "Variety is judged by dense vectors"),
    ],
)
def test_a_search_that_cannot_be_is_refused(store, by, options, complaint: str) -> None:
    with pytest.raises(StoreError, match=complaint):
        searched(store, by, **options)


def test_a_collection_whose_words_were_weighed_otherwise_is_not_searched_by_them(
    config, collection_models, make_chunk
) -> None:
    with open_store(replace(config, collection="without-words")) as store:
        store.create(replace(collection_models, words=""))
        store.upsert([make_chunk(1)])
        assert len(searched(store, rankings(dense=1))) == 1
        with pytest.raises(StoreError, match=r"holds no words to search by BM25: .scrapy reindex --into"):
            searched(store, rankings(bm25="passage"))


def test_listings_and_further_chunks_of_a_page_lose_the_same_on_every_engine(store) -> None:
    """Chunks 0 and 1 are of one page, 2 and 3 of the next; 4 becomes a changelog."""
    by = rankings(dense=1, sparse=1)
    before = {hit.chunk.position: hit.score for hit in searched(store, by, fusion="dbsf")}
    news = next(chunk for chunk in store.scroll() if chunk.position == 4)
    store.upsert([replace(news, extra=ChunkExtra(kind="changelog"))])
    hits = searched(store, by, fusion="dbsf", listing_weight=5, page_weight=0.01)
    scores = {hit.chunk.position: hit.score for hit in hits}
    assert positions(hits)[-1] == 4
    assert scores[4] == pytest.approx(before[4] - 5 - 0.01 * (before[4] - 5 < before[5]), rel=1e-4)
    for first, second in ((0, 1), (2, 3)):
        worse = min(first, second, key=lambda each: before[each])
        assert scores[worse] == pytest.approx(before[worse] - 0.01, rel=1e-4)
        assert scores[first + second - worse] == pytest.approx(before[first + second - worse], rel=1e-4)
    assert [hit.chunk.position for hit in searched(store, by, listing_weight=5)][-1] == 4


def test_a_single_ranking_loses_them_as_well_and_within_the_limit(store) -> None:
    best = searched(store, rankings(dense=1), limit=1)[0].chunk
    store.upsert([replace(best, extra=ChunkExtra(kind="index"))])
    assert searched(store, rankings(dense=1), limit=1)[0].chunk.id == best.id
    assert searched(store, rankings(dense=1), limit=1, listing_weight=0.5)[0].chunk.id != best.id
    assert best.id in {hit.chunk.id for hit in searched(store, rankings(dense=1), ["extra.kind=index"])}

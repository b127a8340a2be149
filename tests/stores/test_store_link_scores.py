"""Scores of documents for the labels of links that lead to them, alone and in a search on every engine."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ragcrawler.items import SemanticChunk, SparseVector, Vectors
from ragcrawler.stores import CollectionModels, StoreConfig, open_store
from ragcrawler.stores.ranking.link_scores import link_scores, link_words
from ragcrawler.stores.ranking.word_weights import query_weights
from ragcrawler.stores.search_request import Fusion, Ranking, SearchRequest

LOCKS = "https://docs.example/d1"
ASKED = query_weights("explicit locking")


@pytest.fixture
def scores(make_chunk: Callable[..., SemanticChunk]) -> Callable[..., dict[str, float]]:
    """Of the documents d0, d1 and d2, whose chunks have these texts in turn."""

    def of(*texts: str, asked: SparseVector = ASKED) -> dict[str, float]:
        made = [make_chunk(number, content=text) for number, text in enumerate(texts)]
        made[1] = replace(made[1], aliases=("https://docs.example/locks",))
        return link_scores(link_words(made), asked)

    return of


@pytest.mark.parametrize(
    "text",
    [
        f"See [explicit locking]({LOCKS}).",
        f"See [explicit locking]({LOCKS}#modes) and [more]({LOCKS}).",
        f'See [explicit locking](<{LOCKS}> "Locks").',
        f"- [explicit]({LOCKS})\n- [locking]({LOCKS})",
        "See [explicit locking](d1#modes).",
        "See [explicit locking](https://docs.example/locks).",
        f"![a lock]({LOCKS}) [explicit locking]({LOCKS})",
    ],
)
def test_a_document_has_the_labels_of_links_to_it(scores, text: str) -> None:
    found = scores(text, "Rows are locked.", "Other rows.")
    assert set(found) == {"d1"}
    assert 0.3 < found["d1"] < 1


@pytest.mark.parametrize(
    "text",
    [
        "explicit locking",
        f"See ![explicit locking]({LOCKS}).",
        "See [explicit locking](https://elsewhere.example/).",
        "See [explicit locking](#d1).",
        f"See [other things]({LOCKS}).",
        f"See \\[explicit locking]({LOCKS}).",
        "See [explicit locking](https://docs.example/d0).",
        "See [explicit locking](http://[1).",
        "See [explicit locking](//[1).",
    ],
)
def test_what_is_no_link_to_another_proposed_document_does_not_count(scores, text: str) -> None:
    assert scores(text, "Rows are locked.", "Other rows.") == {}


def test_a_label_counts_once_for_each_document_that_has_it(scores) -> None:
    link = f"[explicit locking]({LOCKS})"
    once = scores(link, "Rows.", "Other rows.")["d1"]
    assert scores(f"{link} {link}", "Rows.", "Other rows.")["d1"] == once
    assert scores(link, "Rows.", link)["d1"] > once
    half = scores(f"[explicit]({LOCKS})", "Rows.", f"[other things](https://docs.example/d0) [b]({LOCKS})")
    assert half["d1"] < once


@pytest.mark.parametrize("fusion", ["dbsf", "rrf"])
@pytest.mark.parametrize("kind", ["memory", "edge", "server"])
def test_links_lift_the_page_that_they_lead_to_on_every_engine(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    collection_models: CollectionModels,
    make_chunk: Callable[..., SemanticChunk],
    kind: str,
    fusion: Fusion,
) -> None:
    texts = [f"[Explicit locking]({LOCKS})", "Rows are kept from others.", "Rows and columns."]
    chunks = [
        make_chunk(
            number,
            content=text,
            vectors=Vectors((1.0, 1 - 0.2 * number, 0.0, 0.0), SparseVector((7,), (1.0 + number,))),
        )
        for number, text in enumerate(texts)
    ]
    url = request.getfixturevalue("start_rest_double")().url if kind == "server" else ""
    by = Ranking("sparse", SparseVector((7,), (1.0,)))
    search = SearchRequest((by,), 10, words=ASKED, fusion=fusion)
    with open_store(StoreConfig(url=url, folder=tmp_path, kind=kind)) as store:
        store.create(collection_models)
        store.upsert(chunks)
        assert [hit.chunk.position for hit in store.search(search)] == [2, 1, 0]
        hits = store.search(replace(search, link_weight=2.0))
        assert [hit.chunk.position for hit in hits] == [1, 2, 0]
        assert [hit.chunk.position for hit in store.search(replace(search, link_weight=2.0, limit=1))] == [1]
        nothing = replace(search, link_weight=2.0, words=query_weights("of the"))
        assert [hit.chunk.position for hit in store.search(nothing)] == [2, 1, 0]

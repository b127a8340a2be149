import math

import pytest

from ragcrawler.retrieval import BM25Index
from ragcrawler.stores.ranking.words import words


def index_of(*texts: str, **options) -> BM25Index:
    index = BM25Index(**options)
    index.add_documents([{"content": text} for text in texts])
    return index


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Cats sat.", ["cat", "sat"]),
        ("rotating rotated rotates", ["rotat", "rotat", "rotat"]),
        ("git-log --no-ff --oneline", ["git", "log", "no", "ff", "onelin"]),
        ("git-for-each-ref", ["git-for-each-ref", "git", "each", "ref"]),
        ("e.g. birth-weight 3.14", ["e", "g", "birth", "weight", "3.14", "3", "14"]),
        ("Order INC-2023-Q4", ["order", "inc-2023-q4", "inc", "2023", "q4"]),
        ("os.path.join_all", ["os.path.join_all", "os", "path", "join", "all"]),
        ("STRASSE straße", ["strass", "strass"]),
        ("ﬁle ２０２６", ["file", "2026"]),
        ("全文検索 Python入門", ["全文", "文検", "検索", "python", "入門"]),
        ("검색", ["검색"]),
        ("   ...!?", []),
        ("", []),
    ],
)
def test_words_are_folded_cut_and_named_things_kept_whole_too(text: str, expected: list[str]) -> None:
    assert list(words(text)) == expected


def test_the_score_is_the_formulas() -> None:
    index = index_of("cat cat dog", "cat bird", "fish", k1=1.2, b=0.5)
    [(document, score), (other, lower)] = index.search("cat", k=5)
    rarity = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    assert document["content"] == "cat cat dog"
    assert score == pytest.approx(rarity * 2 / (2 + 1.2 * (0.5 + 0.5 * 3 / 2)))
    assert other["content"] == "cat bird"
    assert lower == pytest.approx(rarity * 1 / (1 + 1.2 * (0.5 + 0.5 * 2 / 2)))


def test_a_rare_word_counts_for_more_than_a_frequent_one() -> None:
    index = index_of("error common", "error common", "error INC-7", "common")
    assert index.search("common INC-7", k=1)[0][0]["content"] == "error INC-7"


def test_a_word_that_every_document_has_still_counts_for_it() -> None:
    assert [score > 0 for _, score in index_of("cat", "cat dog").search("cat", k=2)] == [True, True]


def test_a_document_without_any_word_of_the_query_is_not_found() -> None:
    assert index_of("cat", "dog").search("bird", k=5) == []
    assert index_of("cat").search("the of", k=5) == []
    assert index_of().search("cat", k=5) == []
    assert index_of("...").search("cat", k=5) == []


def test_no_more_than_k_are_found_and_equals_stay_in_order() -> None:
    index = index_of(*(f"cat {n}" for n in range(10)))
    assert [document["content"] for document, _ in index.search("cat", k=3)] == ["cat 0", "cat 1", "cat 2"]
    assert len(index.search("cat")) == 1
    assert len(index) == 10


def test_documents_added_later_are_found() -> None:
    index = index_of("cat")
    index.add_document({"text": "dog", "id": 7})
    assert index.search("dogs", k=1)[0][0]["id"] == 7


def test_stemming_and_stop_words_can_be_chosen() -> None:
    assert index_of("rotating", language="").search("rotate", k=1) == []
    assert len(index_of("rotating").search("rotate", k=1)) == 1
    assert len(index_of("the cat", stop_words=()).search("the", k=1)) == 1
    assert index_of("the cat", stop_words=("cat",)).search("cat", k=1) == []


@pytest.mark.parametrize("options", [{"k1": -1}, {"b": 1.5}, {"language": "klingon"}])
def test_options_out_of_range_are_refused(options: dict) -> None:
    with pytest.raises(ValueError, match=r"out of range|klingon"):
        BM25Index(**options)


def test_a_document_without_text_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'content' or 'text'; this one has \['title'\]"):
        BM25Index().add_document({"title": "x"})

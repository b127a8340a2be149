import logging
import threading

import pytest

from ragcrawler.retrieval import BM25Index, Retriever, VectorIndex


class SimpleIndex:
    """The specification's minimal index: every document whose text holds the query."""

    def __init__(self):
        self.docs = []

    def add_document(self, document):
        self.docs.append(document)

    def add_documents(self, documents):
        self.docs.extend(documents)

    def search(self, query, k=1):
        return [(doc, 1.0) for doc in self.docs if query.lower() in doc["text"].lower()][:k]


class FixedIndex(SimpleIndex):
    """Answers with its documents in a fixed order, whatever is asked."""

    def __init__(self, *order):
        super().__init__()
        self.order = order

    def search(self, query, k=1):
        by_id = {document["id"]: document for document in self.docs}
        return [(by_id[each], 0.0) for each in self.order][:k]


def ranked(results) -> list:
    return [document["id"] for document, _ in results]


def filled(*orders, **options) -> Retriever:
    retriever = Retriever(*(FixedIndex(*order) for order in orders), **options)
    retriever.add_documents([{"id": each, "text": f"text of {each}"} for each in "abcd"])
    return retriever


def test_the_example_of_the_specification_runs() -> None:
    index_a = SimpleIndex()
    index_b = SimpleIndex()
    retriever = Retriever(index_a, index_b)
    retriever.add_documents(
        [
            {"id": 1, "text": "The cat sat on the mat"},
            {"id": 2, "text": "Deep learning for search engines"},
        ]
    )
    assert retriever.search("cat", k=5) == [({"id": 1, "text": "The cat sat on the mat"}, 2 / 61)]


def test_the_structure_example_of_the_specification_runs() -> None:
    chunks = ["apples and pears", "git log shows commits", "the weather in May"]
    vectors = {text: [float(i == n) for i in range(3)] for n, text in enumerate(chunks)} | {
        "git": [0.1, 0.9, 0.0]
    }
    vector_index = VectorIndex(embedding_fn=lambda texts: [vectors[text] for text in texts])
    retriever = Retriever(BM25Index(), vector_index)
    retriever.add_documents([{"content": chunk} for chunk in chunks])
    [(document, score)] = retriever.search("git")
    assert document["content"] == "git log shows commits"
    assert score == pytest.approx(2 / 61)


@pytest.mark.parametrize(
    ("orders", "k_rrf", "expected"),
    [
        (["abc", "bca"], 60, {"b": 1 / 62 + 1 / 61, "a": 1 / 61 + 1 / 63, "c": 1 / 63 + 1 / 62}),
        (["abc", "bca"], 0, {"b": 1 / 2 + 1, "a": 1 + 1 / 3, "c": 1 / 3 + 1 / 2}),
        (["ab", "d"], 60, {"a": 1 / 61, "d": 1 / 61, "b": 1 / 62}),
        (["ab", "", "ba", "b"], 60, {"b": 1 / 62 + 2 / 61, "a": 1 / 61 + 1 / 62}),
        (["abc", "bca", "cab"], 60, dict.fromkeys("abc", 1 / 61 + 1 / 62 + 1 / 63)),
        (["abcd", "dcba"], 1, dict.fromkeys("ad", 1 / 2 + 1 / 5) | dict.fromkeys("bc", 1 / 3 + 1 / 4)),
    ],
)
def test_scores_are_fused_by_reciprocal_rank(orders, k_rrf, expected) -> None:
    results = filled(*orders, k_rrf=k_rrf).search("x", k=4)
    assert ranked(results) == list(expected)
    assert [score for _, score in results] == pytest.approx(list(expected.values()))


def test_a_document_that_one_index_returns_twice_is_found_once() -> None:
    assert ranked(filled("aab", "b").search("x", k=4)) == ["b", "a"]


def test_one_result_is_the_default_and_k_bounds_them() -> None:
    assert ranked(filled("abcd").search("x")) == ["a"]
    assert ranked(filled("abcd").search("x", k=3)) == ["a", "b", "c"]


def test_documents_without_id_are_named_without_changing_the_ones_given() -> None:
    retriever = Retriever(SimpleIndex(), SimpleIndex())
    given = [{"text": "same"}, {"text": "same"}]
    retriever.add_documents(given)
    retriever.add_document({"text": "same", "id": 9})
    assert ranked(retriever.search("same", k=5)) == ["document-1", "document-2", 9]
    assert given == [{"text": "same"}, {"text": "same"}]


def test_documents_put_into_the_indexes_directly_are_known_by_their_text() -> None:
    one, other = SimpleIndex(), SimpleIndex()
    for index in (one, other):
        index.add_document({"text": "cat"})
    assert Retriever(one, other).search("cat", k=5) == [({"text": "cat"}, 2 / 61)]


def test_a_retriever_is_an_index_itself() -> None:
    inner = Retriever(SimpleIndex())
    outer = Retriever(inner, SimpleIndex())
    outer.add_document({"id": 1, "text": "cat"})
    assert ranked(outer.search("cat", k=2)) == [1]


def test_the_reranker_sees_documents_query_and_k_and_decides_the_order() -> None:
    seen = {}

    def reranker_fn(docs, query_text, k):
        seen.update(
            ids=[doc["id"] for doc in docs], texts=[doc["text"] for doc in docs], query=query_text, k=k
        )
        return ["c", "a"]

    results = filled("abcd", reranker_fn=reranker_fn).search("which?", k=2)
    assert results[0][0]["id"] == "c"
    assert results[0][1] == pytest.approx(1 / 63)
    assert ranked(results) == ["c", "a"]
    assert seen == {"ids": list("abcd"), "texts": [f"text of {e}" for e in "abcd"], "query": "which?", "k": 2}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (["b", "b", "a"], ["b", "a", "c"]),
        (["d", "c", "b", "a"], ["d", "c", "b"]),
        (["z", "b"], ["b", "a", "c"]),
        (("c",), ["c", "a", "b"]),
    ],
)
def test_what_a_reranker_invents_is_left_out_and_what_it_forgets_follows(answer, expected, caplog) -> None:
    with caplog.at_level(logging.WARNING):
        assert ranked(filled("abcd", reranker_fn=lambda *_: answer).search("x", k=3)) == expected
    assert ("not shown: ['z']" in caplog.text) is ("z" in answer)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ([], "named none of the documents"),
        (["y", "z"], "named none of the documents"),
        ("a", "answered str"),
        (None, "answered NoneType"),
        ({"document_ids": ["b"]}, "answered dict"),
        (ConnectionError("refused"), "ConnectionError: refused"),
        (TimeoutError("slow"), "TimeoutError: slow"),
    ],
)
def test_a_reranker_that_fails_or_answers_nonsense_leaves_the_fused_order(answer, said, caplog) -> None:
    def reranker_fn(docs, query_text, k):
        if isinstance(answer, Exception):
            raise answer
        return answer

    with caplog.at_level(logging.WARNING):
        results = filled("abcd", reranker_fn=reranker_fn).search("x", k=3)
    assert ranked(results) == ["a", "b", "c"]
    assert said in caplog.text


def test_a_reranker_that_takes_too_long_leaves_the_fused_order(caplog) -> None:
    released = threading.Event()
    retriever = filled("abcd", reranker_fn=lambda *_: released.wait(30), rerank_seconds=0.01)
    with caplog.at_level(logging.WARNING):
        assert ranked(retriever.search("x", k=2)) == ["a", "b"]
    released.set()
    assert "no answer within 0.01 s" in caplog.text


def test_a_reranker_is_not_asked_where_nothing_was_found() -> None:
    retriever = Retriever(SimpleIndex(), reranker_fn=lambda *_: pytest.fail("asked"))
    assert retriever.search("cat", k=2) == []


def test_a_weight_multiplies_what_its_index_adds() -> None:
    results = filled("ab", "ba", weights=(1.0, 3.0)).search("x", k=2)
    assert results == [
        ({"id": "b", "text": "text of b"}, pytest.approx(1 / 62 + 3 / 61)),
        ({"id": "a", "text": "text of a"}, pytest.approx(1 / 61 + 3 / 62)),
    ]
    with pytest.raises(ValueError, match="1 weights for 2 indexes"):
        filled("ab", "ba", weights=(1.0,))


def test_a_reranker_may_name_numbers_as_text() -> None:
    retriever = Retriever(SimpleIndex(), reranker_fn=lambda docs, query, k: ["2", "1"])
    retriever.add_documents([{"id": 1, "text": "cat"}, {"id": 2, "text": "cat"}])
    assert ranked(retriever.search("cat", k=2)) == [2, 1]


@pytest.mark.parametrize("k", [0, -1])
def test_less_than_one_result_cannot_be_asked_for(k: int) -> None:
    with pytest.raises(ValueError, match="ask for at least 1"):
        filled("abcd").search("x", k=k)


def test_a_retriever_without_index_or_with_a_negative_constant_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one index"):
        Retriever()
    with pytest.raises(ValueError, match="k_rrf is -1"):
        Retriever(SimpleIndex(), k_rrf=-1)


def test_an_id_that_is_assigned_is_none_that_was_given() -> None:
    retriever = Retriever(SimpleIndex())
    retriever.add_documents([{"id": "document-2", "text": "a cat"}, {"text": "my cat"}])
    retriever.add_document({"id": None, "text": "your cat"})
    assert ranked(retriever.search("cat", k=9)) == ["document-2", "document-3", "document-4"]


def test_of_two_documents_with_one_id_the_better_hit_counts() -> None:
    retriever = Retriever(SimpleIndex())
    texts = [(1, "a cat"), (1, "my cat"), (2, "the cat")]
    retriever.add_documents([{"id": each, "text": text} for each, text in texts])
    assert retriever.search("cat", k=9) == [
        ({"id": 1, "text": "a cat"}, 1 / 61),
        ({"id": 2, "text": "the cat"}, 1 / 62),
    ]

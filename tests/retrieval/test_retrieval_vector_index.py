import numpy as np
import pytest

from ragcrawler.retrieval import VectorIndex

DIRECTIONS = {
    "east": [1.0, 0.0],
    "north": [0.0, 2.0],
    "north-east": [3.0, 3.0],
    "west": [-1.0, 0.0],
    "nowhere": [0, 0],
}


def embed(texts: list[str]) -> list[list[float]]:
    return [DIRECTIONS[text] for text in texts]


def filled() -> VectorIndex:
    index = VectorIndex(embedding_fn=embed)
    index.add_documents([{"content": text} for text in DIRECTIONS])
    return index


def test_similarity_is_the_cosine() -> None:
    found = filled().search("east", k=5)
    assert [document["content"] for document, _ in found] == [
        "east",
        "north-east",
        "north",
        "nowhere",
        "west",
    ]
    assert [score for _, score in found] == pytest.approx([1.0, 0.5**0.5, 0.0, 0.0, -1.0], abs=1e-6)


def test_the_euclidean_distance_counts_lengths_too() -> None:
    index = VectorIndex(embedding_fn=embed, distance_metric="euclidean")
    index.add_documents([{"content": text} for text in DIRECTIONS])
    found = index.search("east", k=5)
    assert [document["content"] for document, _ in found] == [
        "east",
        "nowhere",
        "west",
        "north",
        "north-east",
    ]
    assert [score for _, score in found] == pytest.approx([0.0, -1.0, -2.0, -(5**0.5), -(13**0.5)], abs=1e-6)
    with pytest.raises(ValueError, match="'manhattan': choose cosine or euclidean"):
        VectorIndex(embedding_fn=embed, distance_metric="manhattan")


def test_no_more_than_k_are_found() -> None:
    assert len(filled().search("east")) == 1
    assert len(filled().search("east", k=99)) == len(filled()) == 5
    assert VectorIndex(embedding_fn=embed).search("east", k=3) == []


def test_vectors_made_elsewhere_need_no_embedding_function() -> None:
    index = VectorIndex()
    index.add_vector(np.array([1.0, 0.0], dtype=np.float32), {"content": "a"})
    index.add_vector((0.0, 1.0), {"content": "b"})
    assert index.search([0.1, 5.0], k=1)[0][0] == {"content": "b"}
    with pytest.raises(ValueError, match="give it an embedding_fn"):
        index.search("text")


def test_a_document_added_after_a_search_is_found() -> None:
    index = filled()
    index.search("north")
    index.add_document({"content": "north", "late": True})
    assert [document.get("late", False) for document, _ in index.search("north", k=2)] == [False, True]


def test_all_texts_are_embedded_in_one_call() -> None:
    calls = []
    index = VectorIndex(embedding_fn=lambda texts: calls.append(texts) or embed(texts))
    index.add_documents([{"content": "east"}, {"content": "west"}])
    index.add_documents([])
    assert calls == [["east", "west"]]


@pytest.mark.parametrize("vector", [[1.0, 2.0, 3.0], [[1.0, 2.0]], []])
def test_a_vector_of_another_length_is_refused_and_changes_nothing(vector) -> None:
    index = filled()
    with pytest.raises(ValueError, match="this index holds 2 numbers"):
        index.add_vector(vector, {"content": "x"})
    assert len(index) == 5

"""Every model that runs here keeps order and limit, and gives one vector a text whatever its company."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.embedders import Embedders, open_embedders
from ragcrawler.embedding.inference.model_input import model_input
from ragcrawler.embedding.selection import select_models
from ragcrawler.items import SparseVector

TEXTS = [
    "short",
    "A sentence of middling length about rotating the logs of a server every night.",
    "",
    "Ein Satz auf Deutsch, with some English in it.",
    "wind river mountain " * 30,
    "def rotate(path):\n    return path.rename(path.with_suffix('.1'))",
    "日本語のテキスト",
]


def test_vectors_stand_in_the_order_of_the_texts_and_do_not_depend_on_the_company(bundled: Embedders) -> None:
    together = bundled.dense.embed_documents(TEXTS)
    for text, vector in zip(TEXTS, together, strict=True):
        assert vector == pytest.approx(bundled.dense.embed_documents([text])[0], abs=1e-5)


def test_sparse_vectors_stand_in_the_order_of_the_texts(bundled: Embedders) -> None:
    together = bundled.sparse.embed_documents(TEXTS)
    assert len(together) == len(TEXTS)
    for text, vector in zip(TEXTS, together, strict=True):
        _assert_same(vector, bundled.sparse.embed_documents([text])[0])


def test_padding_and_the_number_of_threads_change_nothing(
    bundled: Embedders, config: EmbeddingConfig
) -> None:
    padded = open_embedders(
        select_models("bundled/all-MiniLM-L6-v2", "bundled/splade-tiny", None, config),
        replace(config, batch_tokens=2048, threads=1),
    )
    assert np.allclose(padded.dense.embed_documents(TEXTS), bundled.dense.embed_documents(TEXTS), atol=1e-5)
    pairs = zip(padded.sparse.embed_documents(TEXTS), bundled.sparse.embed_documents(TEXTS), strict=True)
    for left, right in pairs:
        _assert_same(left, right)


def test_no_texts_give_no_vectors(bundled: Embedders) -> None:
    assert bundled.dense.embed_documents([]) == []
    assert bundled.sparse.embed_documents([]) == []


def test_dense_vectors_have_length_one_and_the_described_dimensions(bundled: Embedders) -> None:
    for vector in bundled.dense.embed_documents(TEXTS):
        assert len(vector) == bundled.dense.description.dimensions
        assert np.linalg.norm(vector) == pytest.approx(1)


def test_sparse_indices_ascend_and_weights_are_positive(bundled: Embedders) -> None:
    for vector in bundled.sparse.embed_documents(TEXTS):
        assert list(vector.indices) == sorted(set(vector.indices))
        assert min(vector.values) > 0


def test_a_question_is_embedded_as_a_document_is(bundled: Embedders) -> None:
    text = "Which port does it listen on?"
    assert bundled.dense.embed_query(text) == pytest.approx(
        bundled.dense.embed_documents([text])[0], abs=1e-6
    )
    _assert_same(bundled.sparse.embed_query(text), bundled.sparse.embed_documents([text])[0])


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_a_model_reads_up_to_its_limit_and_no_further(bundled: Embedders, kind: str) -> None:
    embedder = bundled.dense if kind == "dense" else bundled.sparse
    room = embedder.description.limit_tokens - embedder.description.special_tokens
    filled = ["river"] * room
    whole = _numbers(embedder.embed_query(" ".join(filled)))
    last_word = _numbers(embedder.embed_query(" ".join([*filled[:-1], "volcano"])))
    beyond = _numbers(embedder.embed_query(" ".join([*filled, "volcano"])))
    assert not np.allclose(whole, last_word, atol=1e-4)
    assert np.allclose(whole, beyond, atol=1e-6)


def test_a_lone_surrogate_costs_its_own_place_only(bundled: Embedders) -> None:
    broken, sound = "How are \ud800 logs rotated?", "How are ? logs rotated?"
    together = bundled.dense.embed_documents(["first", broken])
    assert together[1] == pytest.approx(bundled.dense.embed_query(sound), abs=1e-6)
    assert bundled.dense.embed_query(broken) == pytest.approx(together[1], abs=1e-6)
    _assert_same(bundled.sparse.embed_documents(["first", broken])[1], bundled.sparse.embed_query(sound))


def test_of_a_huge_text_the_tokenizer_gets_only_what_the_model_can_read() -> None:
    assert model_input("x" * 10_000_000, 256) == "x" * 256_000


def test_the_shared_limit_is_the_smaller_one_without_special_tokens(bundled: Embedders) -> None:
    assert bundled.limit_tokens == 254


def test_the_tokenizer_counts_what_the_model_reads(bundled: Embedders) -> None:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(bundled.tokenizer))
    assert len(tokenizer.encode("river " * 300, add_special_tokens=False).ids) == 300


def _numbers(vector: Sequence[float] | SparseVector) -> Sequence[float]:
    if not isinstance(vector, SparseVector):
        return vector
    dense = np.zeros(40_000)
    dense[list(vector.indices)] = vector.values
    return dense.tolist()  # type: ignore[no-any-return]


def _assert_same(left: SparseVector, right: SparseVector) -> None:
    assert _numbers(left) == pytest.approx(_numbers(right), abs=1e-4)

"""The embedders without a model."""

import math

import numpy as np
import pytest
from tokenizers import Tokenizer

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.embedders import open_embedders
from ragcrawler.embedding.families.hashing_embedders import HashingDense, HashingSparse
from ragcrawler.embedding.selection import select_models

TEXTS = ["", "¿?", "log", "Rotate the log, then the other log.", "日本語", "a" * 100_000, "\ud800 broken"]


def test_shared_words_make_vectors_alike() -> None:
    question, near, far = HashingDense().embed_documents(
        [
            "rotate the server log",
            "how a server log is rotated: rotate it nightly",
            "the cat slept on a windowsill",
        ]
    )
    assert np.dot(question, near) > 0.3 > np.dot(question, far)


def test_vectors_are_the_same_on_every_machine() -> None:
    # The check value that standards give for CRC-32: 123456789 makes 0xcbf43926, an even number.
    vector = HashingDense().embed_query("123456789")
    assert (vector[(0xCBF43926 >> 1) % 384], sum(map(abs, vector))) == (-1.0, 1.0)
    assert HashingSparse().embed_query("123456789").indices == [0xCBF43926]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_every_text_has_a_vector_of_length_one(text: str) -> None:
    dense, sparse = HashingDense().embed_query(text), HashingSparse().embed_query(text)
    assert len(dense) == 384
    assert np.linalg.norm(dense) == pytest.approx(1)
    assert np.linalg.norm(sparse.values) == pytest.approx(1)
    assert list(sparse.indices) == sorted(set(sparse.indices))


def test_a_word_weighs_more_the_more_often_it_occurs_but_less_than_in_proportion() -> None:
    vector = HashingSparse().embed_query("log log log file")
    weights = sorted(vector.values)
    assert weights[1] / weights[0] == pytest.approx(1 + math.log(3))


def test_vectors_stand_in_the_order_of_the_texts() -> None:
    assert HashingDense().embed_documents(TEXTS) == [HashingDense().embed_query(text) for text in TEXTS]
    assert HashingSparse().embed_documents(TEXTS) == [HashingSparse().embed_query(text) for text in TEXTS]


def test_their_tokenizer_counts_words_signs_and_long_runs_by_parts(config: EmbeddingConfig) -> None:
    opened = open_embedders(select_models("hashing/384", "hashing/sparse", None, config), config)
    tokenizer = Tokenizer.from_file(str(opened.tokenizer))
    texts = ["", "Rotate the log.", "x" * 33]
    assert [len(tokenizer.encode(text).ids) for text in texts] == [0, 4, 3]
    assert opened.limit_tokens == 512

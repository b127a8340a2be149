"""Vectors of tokens: of the run that makes the dense vector, small, and in the order of the whole numbers."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer

from ragcrawler.bootstrap.models.collection_embedders import collection_models, open_collection_embedders
from ragcrawler.config.configuration import Configuration
from ragcrawler.config.defaults import project_settings
from ragcrawler.embedding.cache.sqlite_vector_cache import SqliteVectorCache
from ragcrawler.embedding.cache.vector_codec import DenseWithTokensCodec
from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.embedders import Embedders, open_embedders
from ragcrawler.embedding.protocol import EmbeddingError
from ragcrawler.embedding.selection import select_models
from ragcrawler.embedding.tokens.token_bytes import TOKENS_VERSION, token_bytes
from ragcrawler.embedding.tokens.token_pooling import MOST_VECTORS, TokenPooling
from ragcrawler.items import DenseWithTokens, SemanticChunk, SparseVector, Vectors, tokens_of
from ragcrawler.maintenance.reindex import Reindexing
from ragcrawler.stores import CollectionModels, open_store

STOP_WORDS = frozenset(["the", "of", "how", "do", "i"])
TEXT = "How do I rotate the logs of a server?"
LONG = "Rotating proxies, rotated images and rotting servers. " * 30


@pytest.fixture(scope="session")
def token_config(config: EmbeddingConfig) -> EmbeddingConfig:
    return replace(config, token_vectors=True, token_stop_words=STOP_WORDS)


@pytest.fixture(scope="session")
def with_tokens(token_config: EmbeddingConfig) -> Embedders:
    selection = select_models("bundled/all-MiniLM-L6-v2", "hashing/sparse", None, token_config)
    return open_embedders(selection, token_config)


class Runs:
    """Counts the texts that a model reads."""

    def __init__(self, embedders: Embedders, monkeypatch: pytest.MonkeyPatch) -> None:
        self.texts = 0
        model = embedders.dense._embedder._model.model  # type: ignore[attr-defined]  # fastembed's own
        run = model._run_model

        def counted(onnx_input: dict[str, np.ndarray], **options: object) -> object:
            self.texts += len(onnx_input["input_ids"])
            return run(onnx_input=onnx_input, **options)

        monkeypatch.setattr(model, "_run_model", counted)


def products(left: Sequence[bytes], right: Sequence[bytes]) -> np.ndarray:
    rows = [np.stack([np.frombuffer(each, np.uint8) for each in side]).astype(int) for side in (left, right)]
    return np.asarray(rows[0] @ rows[1].T)


def test_products_of_bytes_are_those_of_the_numbers() -> None:
    vectors = np.random.default_rng(7).normal(size=(60, 384)).astype(np.float32)
    vectors += vectors[:1]  # alike, as tokens of one model are
    made = token_bytes(vectors)
    assert {len(each) for each in made} == {384}
    assert {sum(each) for each in made} == {128 * 384}
    directions = vectors - vectors.mean(axis=1, keepdims=True)
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    found = (products(made, made) - 128 * 128 * 384) / 254**2
    assert np.abs(found - directions @ directions.T).max() < 0.01


def test_a_number_that_is_too_big_for_a_byte_is_cut() -> None:
    vector = np.zeros((1, 384), np.float32)
    vector[0, 3] = 1
    [made] = token_bytes(vector)
    assert made[3] == 255
    assert min(made) >= 127


@pytest.mark.parametrize("written", ["", "?!...", "the of", "\x00"])
def test_a_text_that_says_nothing_has_no_token_vectors(with_tokens: Embedders, written: str) -> None:
    vector = with_tokens.dense.embed_documents([written])[0]
    assert tokens_of(vector) == ()
    assert len(vector) == 384


def test_stop_words_and_punctuation_are_left_out_and_neighbours_averaged(with_tokens: Embedders) -> None:
    asked = with_tokens.dense.embed_query(TEXT)
    stored = with_tokens.dense.embed_documents([TEXT])[0]
    assert len(tokens_of(asked)) == 4  # rotate, logs, a, server
    assert len(tokens_of(stored)) == 2
    # Each pair is near to both of its tokens.
    near = products(tokens_of(asked), tokens_of(stored))
    assert near.argmax(axis=1).tolist() == [0, 0, 1, 1]


def test_the_first_part_of_a_word_is_no_stop_word(
    token_config: EmbeddingConfig, with_tokens: Embedders
) -> None:
    tokenizer = Tokenizer.from_file(str(with_tokens.tokenizer))
    pooling = TokenPooling.of(tokenizer, STOP_WORDS)
    encoded = tokenizer.encode("dobermann do")
    assert encoded.tokens[1].startswith("do")
    assert encoded.tokens[2].startswith("##")
    states = np.eye(len(encoded.ids), 384, dtype=np.float32)
    kept = pooling.of_question(states, np.asarray(encoded.ids))
    assert len(kept) == len(encoded.ids) - 3  # without [CLS], "do" and [SEP]


def test_a_long_text_takes_no_more_than_16_kilobytes(with_tokens: Embedders) -> None:
    vector = with_tokens.dense.embed_documents([LONG])[0]
    assert len(tokens_of(vector)) == MOST_VECTORS
    assert sum(map(len, tokens_of(vector))) < 16_000
    assert len(tokens_of(with_tokens.dense.embed_query(LONG))) == 64


def test_dense_vectors_are_the_same_and_no_text_is_read_twice(
    with_tokens: Embedders, bundled: Embedders, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = Runs(with_tokens, monkeypatch)
    texts = [TEXT, LONG, ""]
    made = with_tokens.dense.embed_documents(texts)
    assert runs.texts == len(texts)
    assert [list(each) for each in made] == bundled.dense.embed_documents(texts)
    assert list(with_tokens.dense.embed_query(TEXT)) == bundled.dense.embed_query(TEXT)
    assert runs.texts == len(texts) + 1


def test_a_cached_vector_without_tokens_is_made_again_and_one_with_them_is_not(
    tmp_path: Path, token_config: EmbeddingConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    selection = select_models("bundled/all-MiniLM-L6-v2", "hashing/sparse", None, token_config)
    cache = SqliteVectorCache(tmp_path / "vectors.sqlite", 2**20)
    plain = open_embedders(selection, replace(token_config, token_vectors=False), cache)
    assert tokens_of(plain.dense.embed_documents([TEXT])[0]) == ()
    embedders = open_embedders(selection, token_config, cache)
    runs = Runs(embedders, monkeypatch)
    first = embedders.dense.embed_documents([TEXT])[0]
    again = embedders.dense.embed_documents([TEXT])[0]
    assert runs.texts == 1
    assert tokens_of(first) == tokens_of(again) != ()
    assert list(first) == pytest.approx(list(again))
    assert plain.dense.look_up([TEXT])[0] == list(first)
    cache.close()


def test_what_is_kept_comes_back() -> None:
    codec = DenseWithTokensCodec(4)
    vector = DenseWithTokens([0.5, 0.5, -0.5, 0.5], (b"abcd", b"efgh"))
    found = codec.decode(codec.encode(vector))
    assert (found, tokens_of(found)) == (vector, vector.tokens)
    assert tokens_of(codec.decode(codec.encode(DenseWithTokens(vector, ())))) == ()
    for cut in (1, 5, 12):
        with pytest.raises(ValueError, match=r"no vectors of 4|instead of 4"):
            codec.decode(codec.encode(vector)[:-cut])
    with pytest.raises(EmbeddingError, match="2 numbers instead of 4"):
        codec.encode(DenseWithTokens([1.0, 2.0], ()))


def test_a_wide_model_keeps_fewer_vectors(with_tokens: Embedders) -> None:
    pooling = TokenPooling.of(Tokenizer.from_file(str(with_tokens.tokenizer)), STOP_WORDS)
    numbers = np.asarray(Tokenizer.from_file(str(with_tokens.tokenizer)).encode(LONG).ids)
    states = np.random.default_rng(7).normal(size=(len(numbers), 1024)).astype(np.float32)
    assert len(pooling.of_document(states, numbers)) == 16
    assert len(pooling.of_document(np.tile(states, 17), numbers)) == 1  # one alone takes more


@pytest.mark.parametrize(
    ("model", "setting", "remembered", "has"),
    [
        ("bundled/all-MiniLM-L6-v2", "", None, True),
        ("bundled/all-MiniLM-L6-v2", "0", None, False),
        ("bundled/all-MiniLM-L6-v2", "", "", False),
        ("bundled/all-MiniLM-L6-v2", "0", TOKENS_VERSION, True),
        ("FOLDER", "", None, False),
        ("FOLDER", "1", None, True),
        ("hashing/384", "", None, False),
    ],
)
def test_new_collections_of_bundled_models_have_them_unless_said_otherwise(
    models_dir: Path,
    with_tokens: Embedders,
    caplog: pytest.LogCaptureFixture,
    model: str,
    setting: str,
    remembered: str | None,
    *,
    has: bool,
) -> None:
    folder = str(with_tokens.tokenizer.parent)
    configuration = configured(models_dir, setting, model.replace("FOLDER", folder))
    models = None
    if remembered is not None:
        models = CollectionModels(configuration.dense_model, 384, "hashing/sparse", tokens=remembered)
    embedders = open_collection_embedders(configuration, models)
    assert embedders.has_tokens is has
    assert collection_models(embedders).tokens == (TOKENS_VERSION if has else "")
    assert "token vectors" not in caplog.text


@pytest.mark.parametrize(
    ("model", "remembered", "said"),
    [
        ("hashing/384", None, "No token vectors are kept: hashing/384"),
        ("bundled/all-MiniLM-L6-v2", "", "The collection has no token vectors"),
    ],
)
def test_who_asks_for_them_in_vain_is_told_why(
    models_dir: Path, caplog: pytest.LogCaptureFixture, model: str, remembered: str | None, said: str
) -> None:
    configuration = configured(models_dir, "1", model)
    models = None if remembered is None else CollectionModels(model, 384, "hashing/sparse", tokens=remembered)
    embedders = open_collection_embedders(configuration, models)
    assert tokens_of(embedders.dense.embed_documents([TEXT])[0]) == ()
    assert said in caplog.text


def configured(models_dir: Path, token_vectors: str, model: str) -> Configuration:
    return Configuration.from_settings(
        project_settings(
            TOKEN_VECTORS=token_vectors,
            EMBEDDING_MODEL=model,
            SPARSE_EMBEDDING_MODEL="hashing/sparse",
            MODEL_CACHE_DIR=str(models_dir),
        )
    )


@pytest.mark.parametrize(
    ("setting", "had", "has"), [("", True, True), ("", False, False), ("0", True, False), ("1", False, True)]
)
def test_a_reindexed_collection_has_them_as_before_unless_the_setting_says_otherwise(
    models_dir: Path, tmp_path: Path, setting: str, *, had: bool, has: bool
) -> None:
    models = {
        "EMBEDDING_MODEL": "bundled/all-MiniLM-L6-v2",
        "SPARSE_EMBEDDING_MODEL": "hashing/sparse",
        "MODEL_CACHE_DIR": str(models_dir),
    }
    settings = project_settings(OUTPUT_DIR=str(tmp_path), TOKEN_VECTORS=setting, **models)
    configuration = Configuration.from_settings(settings)
    old = CollectionModels("older/model", 4, "older/sparse", tokens=TOKENS_VERSION if had else "")
    vectors = Vectors((1.0, 0.0, 0.0, 0.0), SparseVector((1,), (1.0,)), (b"\1\2\3\4",) if had else ())
    chunk = SemanticChunk(
        id="00000000-0000-0000-0000-000000000001",
        chunk_id="chunk",
        document_id="document",
        source_url="https://docs.example/",
        content=TEXT,
        content_hash="c",
        token_count=9,
        embed_text=TEXT,
        start=0,
        end=1,
        position=0,
        vectors=vectors,
    )
    with open_store(configuration.store) as store:
        store.create(old)
        store.upsert([chunk])
    Reindexing(configuration, "v2").rebuild(switch=False)
    with open_store(replace(configuration.store, collection="v2")) as store:
        [point] = store.points()
        assert bool(point.tokens) is has
        assert bool(store.models().tokens) is has

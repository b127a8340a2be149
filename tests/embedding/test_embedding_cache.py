"""The embedding cache: the same text costs its model once, and nothing that goes wrong costs a page."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ragcrawler.embedding.cache.cached_embedder import CachedEmbedder
from ragcrawler.embedding.cache.sqlite_vector_cache import SqliteVectorCache
from ragcrawler.embedding.cache.vector_cache import NoVectorCache
from ragcrawler.embedding.cache.vector_codec import DenseCodec, SparseCodec
from ragcrawler.embedding.embedders import Embedders
from ragcrawler.embedding.families.hashing_embedders import HASHING_DENSE, HashingDense, HashingSparse
from ragcrawler.embedding.protocol import DenseVector, EmbeddingError, ModelDescription
from ragcrawler.items import SparseVector

MEBIBYTE = 2**20
TEXTS = ["How logs are rotated", "Where the cat sleeps", "", "\ud800 alone", "名前"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "vectors.sqlite"


@pytest.fixture
def cache(path: Path) -> Iterator[SqliteVectorCache]:
    opened = SqliteVectorCache(path, MEBIBYTE)
    yield opened
    opened.close()


class Counting(HashingDense):
    """Counts the texts it embeds."""

    def __init__(self, description: ModelDescription = HASHING_DENSE) -> None:
        super().__init__(description)
        self.texts: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> list[DenseVector]:
        self.texts += texts
        return super().embed_documents(texts)


def dense(embedder: HashingDense, cache: SqliteVectorCache) -> CachedEmbedder[DenseVector]:
    return CachedEmbedder(embedder, cache, DenseCodec(embedder.description.dimensions))


def test_a_text_is_embedded_once_and_the_answer_stays_the_same(cache: SqliteVectorCache) -> None:
    model = Counting()
    first = dense(model, cache).embed_documents(TEXTS)
    again = dense(model, cache).embed_documents([*TEXTS, "one more"])
    assert model.texts == [*TEXTS, "one more"]
    assert again[: len(TEXTS)] == first == HashingDense().embed_documents(TEXTS)


def test_a_reopened_cache_remembers(path: Path, cache: SqliteVectorCache) -> None:
    dense(HashingDense(), cache).embed_batch(TEXTS)
    cache.close()
    reopened = SqliteVectorCache(path, MEBIBYTE)
    assert None not in dense(HashingDense(), reopened).look_up(TEXTS)
    reopened.close()


def test_the_vectors_of_real_models_come_back_to_the_bit(
    bundled: Embedders, cache: SqliteVectorCache
) -> None:
    codec = DenseCodec(bundled.dense.description.dimensions)
    for embedder in (
        CachedEmbedder(bundled.dense, cache, codec),
        CachedEmbedder(bundled.sparse, cache, SparseCodec()),
    ):
        made = list(embedder.embed_batch(TEXTS[:2]))
        assert embedder.look_up(TEXTS[:2]) == made


@pytest.mark.parametrize(
    "other",
    [
        replace(HASHING_DENSE, name="hashing/other"),
        replace(HASHING_DENSE, fingerprint="other weights"),
        replace(HASHING_DENSE, limit_tokens=256),
    ],
)
def test_another_model_knows_nothing_of_these_texts(
    cache: SqliteVectorCache, other: ModelDescription
) -> None:
    dense(HashingDense(), cache).embed_batch(TEXTS)
    assert dense(HashingDense(other), cache).look_up(TEXTS) == [None] * len(TEXTS)


def test_the_two_kinds_of_one_text_are_kept_apart(cache: SqliteVectorCache) -> None:
    sparse = CachedEmbedder(HashingSparse(), cache, SparseCodec())
    dense(HashingDense(), cache).embed_batch(TEXTS)
    assert sparse.look_up(TEXTS) == [None] * len(TEXTS)
    assert sparse.embed_documents(TEXTS) == HashingSparse().embed_documents(TEXTS)


def change(path: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(path) as database:
        database.execute(statement, values)
    database.close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE vector SET content = zeroblob(length(content)) WHERE rowid = 2",
        "UPDATE vector SET content = 'text' WHERE rowid = 2",
        "UPDATE vector SET content = (SELECT content FROM vector WHERE rowid = 1),"
        " checksum = (SELECT checksum FROM vector WHERE rowid = 1) WHERE rowid = 2",
    ],
)
def test_a_damaged_entry_is_counted_and_made_anew(path: Path, cache: SqliteVectorCache, damage: str) -> None:
    model = Counting()
    embedder = dense(model, cache)
    made = embedder.embed_documents(TEXTS)
    change(path, damage)
    assert embedder.embed_documents(TEXTS) == made
    assert model.texts == [*TEXTS, TEXTS[1]]
    assert (cache.damaged, cache.failures) == (1, 0)


def test_a_whole_entry_of_the_wrong_size_is_made_anew(cache: SqliteVectorCache) -> None:
    dense(HashingDense(), cache).embed_batch(TEXTS[:1])
    wider = CachedEmbedder(HashingDense(), cache, DenseCodec(512))
    assert wider.look_up(TEXTS[:1]) == [None]
    assert cache.damaged == 1


@pytest.mark.parametrize("content", [b"", b"no database at all" * 1000])
def test_a_file_that_is_no_database_is_set_aside(
    path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    cache = SqliteVectorCache(path, MEBIBYTE)
    dense(HashingDense(), cache).embed_batch(TEXTS)
    assert None not in dense(HashingDense(), cache).look_up(TEXTS)
    cache.close()
    assert path.with_name("vectors.sqlite.damaged").exists() == bool(content)
    assert ("is damaged" in caplog.text) == bool(content)


def test_a_cache_that_fails_later_is_counted_said_once_and_costs_nothing(
    path: Path, cache: SqliteVectorCache, caplog: pytest.LogCaptureFixture
) -> None:
    change(path, "DROP TABLE vector")
    model = Counting()
    for _ in range(2):
        assert dense(model, cache).embed_documents(TEXTS) == HashingDense().embed_documents(TEXTS)
    assert cache.failures == 4  # each time one look and one write
    assert caplog.text.count("its texts are embedded") == 1


def test_what_comes_after_the_close_is_not_kept_and_no_failure(cache: SqliteVectorCache) -> None:
    embedder = dense(HashingDense(), cache)
    cache.close()
    embedder.embed_batch(TEXTS)
    assert embedder.look_up(TEXTS) == [None] * len(TEXTS)
    assert cache.failures == 0


def test_a_cache_of_another_schema_is_begun_anew(path: Path, cache: SqliteVectorCache) -> None:
    dense(HashingDense(), cache).embed_batch(TEXTS)
    cache.close()
    change(path, "PRAGMA user_version = 99")
    reopened = SqliteVectorCache(path, MEBIBYTE)
    assert dense(HashingDense(), reopened).look_up(TEXTS[:1]) == [None]
    reopened.close()


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder.sqlite").mkdir()
    with pytest.raises(OSError, match="unable to open") as caught:
        SqliteVectorCache(tmp_path / "folder.sqlite", MEBIBYTE)
    assert caught.value.filename == str(tmp_path / "folder.sqlite")


def test_over_its_bound_what_was_used_least_recently_goes_first(path: Path) -> None:
    hour = [0.0]
    cache = SqliteVectorCache(path, MEBIBYTE, now=lambda: hour[0] * 3600)
    for number in range(6):
        hour[0] = number
        cache.keep({f"{number} {entry}".encode(): bytes(1000) for entry in range(100)})
    hour[0] = 6
    used = [f"0 {entry}".encode() for entry in range(100)]
    assert len(cache.find(used)) == 100
    for number in range(6, 12):
        cache.keep({f"{number} {entry}".encode(): bytes(1000) for entry in range(100)})
    cache.close()
    assert path.stat().st_size < 1.2 * MEBIBYTE
    reopened = SqliteVectorCache(path, MEBIBYTE)
    assert len(reopened.find(used)) == 100
    assert not reopened.find([b"1 0", b"2 0"])
    assert reopened.find([b"11 99"])
    reopened.close()


FILL = """
import sys
from pathlib import Path
from ragcrawler.embedding.cache.sqlite_vector_cache import SqliteVectorCache
cache = SqliteVectorCache(Path(sys.argv[1]), 2**24)
for number in range(200):
    cache.keep({f"{sys.argv[2]} {number}".encode(): sys.argv[2].encode() * 500})
    assert cache.find([f"{sys.argv[2]} {number}".encode()])
assert not cache.failures
cache.close()
"""


def test_two_processes_fill_one_cache(path: Path) -> None:
    processes = [subprocess.Popen([sys.executable, "-c", FILL, str(path), name]) for name in "ab"]
    assert [process.wait(60) for process in processes] == [0, 0]
    cache = SqliteVectorCache(path, 2**24)
    keys = [f"{name} {number}".encode() for name in "ab" for number in range(200)]
    assert len(cache.find(keys)) == 400
    cache.close()


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_number_that_is_not_finite_is_refused_and_not_kept(number: float) -> None:
    with pytest.raises(EmbeddingError, match="not finite"):
        DenseCodec(2).encode([0.5, number])
    with pytest.raises(EmbeddingError, match="not finite"):
        SparseCodec().encode(SparseVector([1, 2], [0.5, number]))


def test_a_vector_of_another_length_is_refused() -> None:
    with pytest.raises(EmbeddingError, match="3 numbers instead of 2"):
        DenseCodec(2).encode([1.0, 0.0, 0.0])


def test_sparse_vectors_survive_their_bytes() -> None:
    codec = SparseCodec()
    for vector in (SparseVector([], []), SparseVector([7, 4294967295], [0.5, 1.25])):
        assert codec.decode(codec.encode(vector)) == vector
    with pytest.raises(ValueError, match="7 bytes"):
        codec.decode(bytes(7))


def test_without_a_cache_every_text_is_embedded() -> None:
    model = Counting()
    embedder = CachedEmbedder(model, NoVectorCache(), DenseCodec(384))
    assert embedder.embed_documents(["a"]) == embedder.embed_documents(["a"])
    assert model.texts == ["a", "a"]

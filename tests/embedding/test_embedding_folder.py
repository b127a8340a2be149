"""Models of your own, in folders."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.embedders import Embedders, open_embedders
from ragcrawler.embedding.model_registry import describe
from ragcrawler.embedding.onnx.bundled import BUNDLED_DENSE, BUNDLED_SPARSE
from ragcrawler.embedding.onnx.bundled_build import built_folder
from ragcrawler.embedding.protocol import EmbeddingError
from ragcrawler.embedding.selection import select_models


@pytest.fixture
def dense_folder(config: EmbeddingConfig, tmp_path: Path) -> Path:
    source = built_folder(BUNDLED_DENSE, config.cache_dir).path
    folder = tmp_path / "mine"
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("model.onnx"))
    (folder / "onnx").mkdir()
    (folder / "onnx" / "model.onnx").hardlink_to(source / "model.onnx")
    return folder


def rewrite(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_a_dense_folder_is_a_model_under_its_path(
    dense_folder: Path, config: EmbeddingConfig, bundled: Embedders
) -> None:
    selection = select_models(str(dense_folder), "hashing/sparse", None, config)
    for _ in range(2):  # fastembed refuses to learn one name twice
        opened = open_embedders(selection, config)
    assert opened.dense.description.name == str(dense_folder)
    assert len(opened.dense.description.fingerprint) == 64
    assert opened.dense.embed_query("log") == pytest.approx(bundled.dense.embed_query("log"), abs=1e-6)


def test_a_folder_s_own_limit_is_kept_even_when_its_tokenizer_allows_more(
    dense_folder: Path, config: EmbeddingConfig
) -> None:
    rewrite(dense_folder / "tokenizer_config.json", model_max_length=512)
    (dense_folder / "sentence_bert_config.json").write_text('{"max_seq_length": 16}')
    opened = open_embedders(select_models(str(dense_folder), "hashing/sparse", None, config), config)
    assert opened.dense.description.limit_tokens == 16
    short, long = opened.dense.embed_query("river " * 14), opened.dense.embed_query("river " * 14 + "volcano")
    assert short == pytest.approx(long)


def test_a_sparse_folder_is_a_model_under_its_path(config: EmbeddingConfig, bundled: Embedders) -> None:
    folder = built_folder(BUNDLED_SPARSE, config.cache_dir).path
    opened = open_embedders(select_models("hashing/384", str(folder), None, config), config)
    assert opened.sparse.description.name == str(folder)
    assert opened.sparse.embed_query("log rotation") == bundled.sparse.embed_query("log rotation")


def remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


DAMAGES: list[tuple[Callable[[Path], None], str]] = [
    (remove("onnx/model.onnx"), "holds no model.onnx: put"),
    (remove("tokenizer.json"), "tokenizer.json is no tokenizer"),
    (remove("config.json"), "config.json cannot be read"),
    (remove("1_Pooling/config.json"), "1_Pooling/config.json cannot be read"),
    (lambda folder: (folder / "config.json").write_text("[]") and None, "is no JSON object"),
    (
        lambda folder: (folder / "onnx/model.onnx").unlink() or _junk(folder / "onnx/model.onnx"),
        "does not load",
    ),
    (lambda folder: rewrite(folder / "config.json", hidden_size=768), "makes vectors of 384 numbers"),
    (lambda folder: rewrite(folder / "tokenizer_config.json", model_max_length=10**30), "how many tokens"),
    (
        lambda folder: rewrite(folder / "1_Pooling/config.json", pooling_mode_mean_tokens=False),
        "neither mean nor cls pooling",
    ),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGES, ids=[message for _, message in DAMAGES])
def test_a_folder_that_is_not_whole_is_an_error_that_says_what_is_missing(
    dense_folder: Path, config: EmbeddingConfig, damage: Callable[[Path], None], message: str
) -> None:
    damage(dense_folder)
    with pytest.raises(EmbeddingError, match=message):
        open_embedders(select_models(str(dense_folder), "hashing/sparse", None, config), config)


def test_a_folder_that_is_not_there_is_an_error_that_names_it(
    config: EmbeddingConfig, tmp_path: Path
) -> None:
    with pytest.raises(EmbeddingError, match=rf"the model folder {tmp_path}/no-model is not there"):
        select_models(f"{tmp_path}/no-model", "hashing/sparse", None, config)


def test_a_folder_below_this_one_needs_no_dot_in_front(
    dense_folder: Path, config: EmbeddingConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(dense_folder.parent.parent)
    name = f"{dense_folder.parent.name}/{dense_folder.name}"
    assert select_models(name, "hashing/sparse", None, config).dense.name == str(dense_folder)


def test_a_folder_that_is_called_like_a_model_of_the_hub_does_not_take_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "BAAI/bge-base-en-v1.5").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert describe("BAAI/bge-base-en-v1.5", "dense").dimensions == 768


def _junk(path: Path) -> None:
    path.write_bytes(b"junk")

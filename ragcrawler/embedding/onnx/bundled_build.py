"""Building a bundled model's folder: once, whole or not at all, never stale."""

import hashlib
import json
import os
import shutil
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragcrawler.embedding.onnx.build_once import build_once
from ragcrawler.embedding.onnx.bundled import INSTALLATION, WEIGHTS, BundledModel
from ragcrawler.embedding.onnx.model_folder import ModelFolder
from ragcrawler.embedding.onnx.packaged_file import check_packaged_file
from ragcrawler.embedding.protocol import EmbeddingError

if TYPE_CHECKING:
    from onnx import ModelProto

_BUILD_VERSION = "1"  # to be raised when what is built from the same files changes


def require_built(model: BundledModel, cache_dir: Path) -> None:
    """Return when the model's folder is there or can be built.

    Raises:
        EmbeddingError: a package that is needed is missing.
    """
    for name in model.hashes:
        model.file(name)
    if not _target(model, cache_dir).is_dir() and find_spec("onnx") is None:
        raise EmbeddingError(
            f"the model {model.name} is built by the package onnx, which is not here: install the bundled"
            f" models by {INSTALLATION}"
        )


def built_folder(model: BundledModel, cache_dir: Path) -> ModelFolder:
    """The model's folder, built on first use in about a second.

    Its name holds a hash of all that it is made from: a stale one is never used.

    Raises:
        EmbeddingError: a package is missing or damaged, or the folder cannot be written.
    """
    require_built(model, cache_dir)
    target = _target(model, cache_dir)
    build_once(target, partial(_write_files, model), model.name)
    return ModelFolder(target, model.name)


def _target(model: BundledModel, cache_dir: Path) -> Path:
    made_from = " ".join([_BUILD_VERSION, *model.hashes.values()])
    key = hashlib.sha256(made_from.encode()).hexdigest()[:16]
    return cache_dir / f"{model.name.rpartition('/')[2]}-{key}"


def _write_files(model: BundledModel, folder: Path) -> None:
    for name, expected in model.hashes.items():
        check_packaged_file(model.package, model.file(name), expected)
    shutil.copyfile(model.file("config.json").path, folder / "config.json")
    tokenizer = json.loads(model.file("tokenizer.json").path.read_text(encoding="utf-8"))
    # A tokenizer that cuts at a length of its own, here 128, would miscount every longer text.
    _write_json(folder / "tokenizer.json", tokenizer | {"truncation": None, "padding": None})
    _write_json(
        folder / "tokenizer_config.json", {"model_max_length": model.limit_tokens, "pad_token": "[PAD]"}
    )
    if model.kind == "dense":
        (folder / "1_Pooling").mkdir()
        _write_json(folder / "1_Pooling" / "config.json", {"pooling_mode_mean_tokens": True})
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    _write_durably(folder / "model.onnx", _onnx_model(model, config).SerializeToString())


def _onnx_model(model: BundledModel, config: dict[str, Any]) -> "ModelProto":
    from ragcrawler.embedding.onnx.bert_graph import BertGraph
    from ragcrawler.embedding.onnx.bert_graph_int8 import Int8BertGraph
    from ragcrawler.embedding.onnx.bert_models import encoder_model, masked_language_model
    from ragcrawler.embedding.onnx.safetensors_file import read_tensors

    make = encoder_model if model.kind == "dense" else masked_language_model
    tensors = read_tensors(model.file(WEIGHTS).path)
    return make(tensors, config, Int8BertGraph if model.is_int8 else BertGraph)


def _write_json(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content), encoding="utf-8")


def _write_durably(path: Path, content: bytes) -> None:
    """Write through to the disk: a power cut must not leave half a model under the final name."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())

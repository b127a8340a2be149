"""Making an 8-bit file of an ONNX model, on this machine, by onnxruntime's dynamic quantisation.

https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html
"""

import hashlib
import os
import re
import shutil
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragcrawler.embedding.onnx.build_once import build_once
from ragcrawler.embedding.onnx.model_folder import ModelFolder
from ragcrawler.embedding.protocol import EmbeddingError

if TYPE_CHECKING:
    from onnx import ModelProto

_RECIPE_VERSION = "1"  # to be raised when the same model becomes other integers
# The products with weights. Word embeddings are only looked up: rounding them would save no time.
_QUANTISED = ["MatMul", "Attention"]
_MADE_OF_THEM = {"MatMulInteger", "QAttention", "DynamicQuantizeMatMul"}
_KEPT_FILES = ("*.json", "*.txt", "1_Pooling/config.json")


def int8_folder(source: ModelFolder, name: str, cache_dir: Path) -> ModelFolder:
    """The folder of a model in 8 bits, made on first use: seconds to a minute, and three times its memory.

    Args:
        source: the model as it is.
        name: of the one in 8 bits.
        cache_dir: where such folders are kept.

    Raises:
        EmbeddingError: the package onnx is missing, or the model cannot be made into one of 8 bits.
    """
    fingerprint = int8_fingerprint(source.fingerprint)
    slug = re.sub(r"[^A-Za-z0-9.]+", "-", Path(name).name if name.startswith("/") else name)
    target = cache_dir / f"{slug}-{fingerprint[:16]}"
    build_once(target, partial(_write, source), name)
    return ModelFolder(target, name, source.model_file, fingerprint)


def int8_fingerprint(fingerprint: str) -> str:
    """Tells the 8-bit file apart by what it is made from and how: the same on every machine."""
    return hashlib.sha256(f"int8 {_RECIPE_VERSION} {fingerprint}".encode()).hexdigest()


def _write(source: ModelFolder, folder: Path) -> None:
    for pattern in _KEPT_FILES:
        for file in source.path.glob(pattern):
            kept = folder / file.relative_to(source.path)
            kept.parent.mkdir(exist_ok=True)
            shutil.copyfile(file, kept)
    target = folder / source.model_file
    target.parent.mkdir(exist_ok=True)
    try:
        _quantise(source.path / source.model_file, target)
    except ImportError as error:
        raise EmbeddingError(
            f"the 8-bit file of {source.name} is made with the package onnx, which is not here: install it"
            " (the extra int8), or set EMBEDDING_PRECISION=original"
        ) from error
    except (OSError, EmbeddingError):
        raise
    except Exception as error:  # the quantiser raises whatever it stumbles over
        raise EmbeddingError(
            f"{source.name} cannot be made into an 8-bit file ({type(error).__name__}: {error}):"
            " set EMBEDDING_PRECISION=original"
        ) from error
    with target.open("rb") as made:
        os.fsync(made.fileno())


def _quantise(source: Path, target: Path) -> None:
    import onnx
    from onnxruntime.quantization.quant_utils import QuantType, add_pre_process_metadata
    from onnxruntime.quantization.quantize import quantize_dynamic

    model = onnx.load(str(source))
    _widen(model)
    before = _integer_products(model)
    add_pre_process_metadata(model)  # else it advises to optimise the graph, which hub files are
    # Seven bits: without VNNI instructions the sums of products of eight overflow, and machines would differ.
    quantize_dynamic(
        model,
        str(target),
        op_types_to_quantize=_QUANTISED,
        per_channel=True,
        reduce_range=True,
        weight_type=QuantType.QInt8,
        extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
    )
    if _integer_products(onnx.load(str(target))) == before:
        raise EmbeddingError(
            f"{source} has no products that could be made in 8 bits: set EMBEDDING_PRECISION=original"
        )


def _integer_products(model: "ModelProto") -> int:
    return sum(node.op_type in _MADE_OF_THEM for node in model.graph.node)


def _widen(model: "ModelProto") -> None:
    """Make 32-bit numbers of 16-bit ones, which hub files often hold: the quantiser reads no others."""
    from onnx import TensorProto

    graph = model.graph
    for tensor in graph.initializer:
        _widen_tensor(tensor)
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                _widen_tensor(attribute.t)
            if node.op_type == "Cast" and attribute.name == "to" and attribute.i == TensorProto.FLOAT16:
                attribute.i = TensorProto.FLOAT
    for value in (*graph.input, *graph.output, *graph.value_info):
        if value.type.tensor_type.elem_type == TensorProto.FLOAT16:
            value.type.tensor_type.elem_type = TensorProto.FLOAT


def _widen_tensor(tensor: Any) -> None:
    from onnx import TensorProto, numpy_helper

    if tensor.data_type == TensorProto.FLOAT16:
        wide = numpy_helper.to_array(tensor).astype("float32")
        tensor.CopyFrom(numpy_helper.from_array(wide, tensor.name))

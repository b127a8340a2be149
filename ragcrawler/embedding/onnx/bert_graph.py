"""A BERT as the nodes of an ONNX graph, made from its weights without any training framework.

Architecture: Devlin et al. 2019, https://arxiv.org/abs/1810.04805 (post-norm encoder, learned positions).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragcrawler.embedding.onnx.graph import OnnxGraph
from ragcrawler.embedding.onnx.safetensors_file import Tensors


class BertGraph:
    """The parts of a BERT as nodes of a graph; `multiply` and `attend` say in which arithmetic."""

    def __init__(self, tensors: Tensors, config: Mapping[str, Any]) -> None:
        self.graph = OnnxGraph()
        self._tensors = {_usual_name(name): tensor for name, tensor in tensors.items()}
        self._layers: int = config["num_hidden_layers"]
        self.heads: int = config["num_attention_heads"]
        self._epsilon: float = config["layer_norm_eps"]

    def encoder(self) -> str:
        """The last hidden state, of the shape (texts, tokens, hidden size)."""
        mask = self.graph.node("Cast", "attention_mask", to=_tensor_type("INT32"))
        hidden = self._embeddings()
        for index in range(self._layers):
            hidden = self._layer(hidden, mask, f"encoder.layer.{index}")
        return hidden

    def vocabulary_head(self, hidden: str) -> str:
        """Project each token back on the vocabulary, by the tied word embeddings."""
        name = "cls.predictions"
        hidden = self._project(hidden, f"{name}.transform.dense.weight")
        hidden = self.graph.fused("BiasGelu", hidden, self._weight(f"{name}.transform.dense.bias"))
        hidden = self._normalise(hidden, f"{name}.transform.LayerNorm")
        logits = self._project(hidden, "embeddings.word_embeddings.weight")
        return self.graph.node("Add", logits, self._weight(f"{name}.bias"))

    def _embeddings(self) -> str:
        graph = self.graph
        words = graph.node("Gather", self._weight("embeddings.word_embeddings.weight"), "input_ids")
        types = graph.node(
            "Gather", self._weight("embeddings.token_type_embeddings.weight"), "token_type_ids"
        )
        zero = graph.weight(np.array([0], np.int64))
        tokens = graph.node("Shape", "input_ids", start=1, end=2)
        table = self._weight("embeddings.position_embeddings.weight")
        positions = graph.node("Slice", table, zero, tokens, zero)
        total = graph.node("Add", graph.node("Add", words, types), positions)
        return self._normalise(total, "embeddings.LayerNorm")

    def _layer(self, hidden: str, mask: str, name: str) -> str:
        attended = self._attention(hidden, mask, f"{name}.attention.self")
        hidden = self._project_and_add(attended, hidden, f"{name}.attention.output")
        inner = self._project(hidden, f"{name}.intermediate.dense.weight")
        inner = self.graph.fused("BiasGelu", inner, self._weight(f"{name}.intermediate.dense.bias"))
        return self._project_and_add(inner, hidden, f"{name}.output")

    def _attention(self, hidden: str, mask: str, name: str) -> str:
        parts = ("query", "key", "value")
        weights = np.concatenate([self._array(f"{name}.{part}.weight").T for part in parts], axis=1)
        biases = np.concatenate([self._array(f"{name}.{part}.bias") for part in parts])
        return self.attend(hidden, weights, self.graph.weight(biases), mask)

    def _project_and_add(self, value: str, residual: str, name: str) -> str:
        projected = self._project(value, f"{name}.dense.weight")
        scale, shift = (self._weight(f"{name}.LayerNorm.{part}") for part in ("weight", "bias"))
        bias = self._weight(f"{name}.dense.bias")
        inputs = (projected, residual, scale, shift, bias)
        return self.graph.fused("SkipLayerNormalization", *inputs, epsilon=self._epsilon)

    def _normalise(self, value: str, name: str) -> str:
        scale, shift = (self._weight(f"{name}.{part}") for part in ("weight", "bias"))
        return self.graph.node("LayerNormalization", value, scale, shift, axis=-1, epsilon=self._epsilon)

    def _project(self, value: str, name: str) -> str:
        """Multiply by the transpose of the named weight."""
        return self.multiply(value, self._array(name).T)

    def multiply(self, value: str, matrix: NDArray[np.float32]) -> str:
        """The product with a matrix of the shape (inputs, outputs)."""
        return self.graph.node("MatMul", value, self.graph.weight(matrix))

    def attend(self, hidden: str, weights: NDArray[np.float32], bias: str, mask: str) -> str:
        """Self-attention; `weights` of the shape (hidden, 3 hidden) make queries, keys and values."""
        inputs = (hidden, self.graph.weight(weights), bias, mask)
        return self.graph.fused("Attention", *inputs, num_heads=self.heads)

    def _weight(self, name: str) -> str:
        return self.graph.weight(self._array(name))

    def _array(self, name: str) -> NDArray[np.float32]:
        return self._tensors[name].astype(np.float32)


def _usual_name(name: str) -> str:
    """Name of today for a tensor; old files call a norm's weight gamma and its bias beta."""
    name = name.removeprefix("bert.")
    return name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")


def _tensor_type(name: str) -> int:
    from onnx import TensorProto

    return int(TensorProto.DataType.Value(name))

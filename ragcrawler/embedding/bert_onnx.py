"""A BERT encoder as an ONNX model, made from its weights without any training framework.

Architecture: Devlin et al. 2019, https://arxiv.org/abs/1810.04805 (post-norm encoder, learned positions).
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ragcrawler.embedding.onnx_graph import OnnxGraph
from ragcrawler.embedding.safetensors_file import Tensors

if TYPE_CHECKING:
    from onnx import ModelProto


def encoder_model(tensors: Tensors, config: Mapping[str, Any]) -> "ModelProto":
    """A model whose `last_hidden_state` has the shape (texts, tokens, hidden_size).

    Args:
        tensors: the weights, under their usual names, with or without the prefix `bert.`.
        config: the model's `config.json`.
    """
    bert = _Bert(tensors, config)
    return bert.graph.model(bert.encoder(), "last_hidden_state", config["hidden_size"])


def masked_language_model(tensors: Tensors, config: Mapping[str, Any]) -> "ModelProto":
    """A model whose `logits` have the shape (texts, tokens, vocab_size); a SPLADE pools these."""
    bert = _Bert(tensors, config)
    return bert.graph.model(bert.vocabulary_head(bert.encoder()), "logits", config["vocab_size"])


class _Bert:
    def __init__(self, tensors: Tensors, config: Mapping[str, Any]) -> None:
        self.graph = OnnxGraph()
        self._tensors = {_usual_name(name): tensor for name, tensor in tensors.items()}
        self._layers: int = config["num_hidden_layers"]
        self._heads: int = config["num_attention_heads"]
        self._epsilon: float = config["layer_norm_eps"]

    def encoder(self) -> str:
        mask = self.graph.node("Cast", "attention_mask", to=_tensor_type("INT32"))
        hidden = self._embeddings()
        for index in range(self._layers):
            hidden = self._layer(hidden, mask, f"encoder.layer.{index}")
        return hidden

    def vocabulary_head(self, hidden: str) -> str:
        """Project each token back on the vocabulary, by the tied word embeddings."""
        graph, name = self.graph, "cls.predictions"
        weights = self._linear_weight(f"{name}.transform.dense")
        bias = graph.weight(self._array(f"{name}.transform.dense.bias"))
        hidden = graph.fused("BiasGelu", graph.node("MatMul", hidden, weights), bias)
        hidden = self._normalise(hidden, f"{name}.transform.LayerNorm")
        words = graph.weight(self._array("embeddings.word_embeddings.weight").T)
        return graph.node(
            "Add", graph.node("MatMul", hidden, words), graph.weight(self._array(f"{name}.bias"))
        )

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
        graph = self.graph
        attended = self._attention(hidden, mask, f"{name}.attention.self")
        hidden = self._project_and_add(attended, hidden, f"{name}.attention.output")
        inner = graph.node("MatMul", hidden, self._linear_weight(f"{name}.intermediate.dense"))
        inner = graph.fused("BiasGelu", inner, self._weight(f"{name}.intermediate.dense.bias"))
        return self._project_and_add(inner, hidden, f"{name}.output")

    def _attention(self, hidden: str, mask: str, name: str) -> str:
        parts = ("query", "key", "value")
        weights = np.concatenate([self._array(f"{name}.{part}.weight").T for part in parts], axis=1)
        biases = np.concatenate([self._array(f"{name}.{part}.bias") for part in parts])
        weight, bias = self.graph.weight(weights), self.graph.weight(biases)
        return self.graph.fused("Attention", hidden, weight, bias, mask, num_heads=self._heads)

    def _project_and_add(self, value: str, residual: str, name: str) -> str:
        projected = self.graph.node("MatMul", value, self._linear_weight(f"{name}.dense"))
        scale, shift = (self._weight(f"{name}.LayerNorm.{part}") for part in ("weight", "bias"))
        bias = self._weight(f"{name}.dense.bias")
        inputs = (projected, residual, scale, shift, bias)
        return self.graph.fused("SkipLayerNormalization", *inputs, epsilon=self._epsilon)

    def _normalise(self, value: str, name: str) -> str:
        scale, shift = (self._weight(f"{name}.{part}") for part in ("weight", "bias"))
        return self.graph.node("LayerNormalization", value, scale, shift, axis=-1, epsilon=self._epsilon)

    def _linear_weight(self, name: str) -> str:
        return self.graph.weight(self._array(f"{name}.weight").T)

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

"""A BERT whose matrix products are of 8-bit integers: half the time, nearly the same vectors.

Weights are rounded once, a scale for each output; activations at run time, a scale for each product
(dynamic quantisation, https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html).
"""

import numpy as np
from numpy.typing import NDArray

from ragcrawler.embedding.onnx.bert_graph import BertGraph

# Without VNNI instructions a processor adds two products of unsigned and signed bytes in 16 bits: with 7 bits
# in the weights these never overflow, and all machines make the same vectors.
_LARGEST = 63


class Int8BertGraph(BertGraph):
    """The same nodes with products of integers."""

    def multiply(self, value: str, matrix: NDArray[np.float32]) -> str:
        """The product with a matrix of the shape (inputs, outputs)."""
        rounded, scale = _quantise(matrix)
        return self.graph.fused(
            "DynamicQuantizeMatMul", value, self.graph.weight(rounded), self.graph.weight(scale)
        )

    def attend(self, hidden: str, weights: NDArray[np.float32], bias: str, mask: str) -> str:
        """Self-attention; `weights` of the shape (hidden, 3 hidden) make queries, keys and values."""
        rounded, scale = _quantise(weights)
        value, value_scale, zero = self.graph.nodes("DynamicQuantizeLinear", hidden, outputs=3)
        inputs = (value, self.graph.weight(rounded), bias, value_scale, self.graph.weight(scale), mask, zero)
        return self.graph.fused("QAttention", *inputs, num_heads=self.heads)


def _quantise(matrix: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """The matrix in small integers, and the scale of each column."""
    scale = np.maximum(np.abs(matrix).max(axis=0) / _LARGEST, np.finfo(np.float32).tiny)
    return np.round(matrix / scale).astype(np.int8), scale.astype(np.float32)

"""Writing an ONNX graph node by node."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from onnx import ModelProto

_OPSET = 20
_IR_VERSION = 10
_RUNTIME_DOMAIN = "com.microsoft"  # onnxruntime's fused operators


class OnnxGraph:
    """Collects nodes and weights; names of values are made here, so that none is used twice."""

    def __init__(self) -> None:
        from onnx import NodeProto, TensorProto

        self._nodes: list[NodeProto] = []
        self._weights: list[TensorProto] = []

    def weight(self, values: NDArray[Any]) -> str:
        """Store an array; returns the name by which nodes read it."""
        from onnx import numpy_helper

        name = f"weight_{len(self._weights)}"
        self._weights.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """Add a standard operator; returns the name of its first output."""
        return self._add(operator, inputs, "", attributes)[0]

    def nodes(self, operator: str, *inputs: str, outputs: int) -> list[str]:
        """Add a standard operator that has several outputs; returns their names."""
        return self._add(operator, inputs, "", {}, outputs)

    def fused(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """Add one of onnxruntime's own operators; returns the name of its first output."""
        return self._add(operator, inputs, _RUNTIME_DOMAIN, attributes)[0]

    def _add(
        self,
        operator: str,
        inputs: tuple[str, ...],
        domain: str,
        attributes: dict[str, Any],
        outputs: int = 1,
    ) -> list[str]:
        from onnx import helper

        name = f"{operator}_{len(self._nodes)}"
        names = [f"{name}_{index}" for index in range(outputs)]
        self._nodes.append(helper.make_node(operator, inputs, names, name, domain=domain, **attributes))
        return names

    def model(self, value: str, output: str, width: int) -> "ModelProto":
        """A text model that gives `value`, of the shape (texts, tokens, width), as `output`."""
        from onnx import TensorProto, helper

        names = ("input_ids", "attention_mask", "token_type_ids")
        shape = ["texts", "tokens"]
        inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in names]
        outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, [*shape, width])]
        nodes = [*self._nodes, helper.make_node("Identity", [value], [output])]
        graph = helper.make_graph(nodes, "text", inputs, outputs, self._weights)
        opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_RUNTIME_DOMAIN, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION)

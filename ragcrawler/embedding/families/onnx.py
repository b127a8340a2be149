"""The base class of families whose models are ONNX files in a folder."""

from abc import ABC, abstractmethod
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.inference.fastembed_sparse import FastembedSparse, load_sparse
from ragcrawler.embedding.onnx.model_folder import ModelFolder, special_tokens
from ragcrawler.embedding.protocol import ModelDescription

if TYPE_CHECKING:
    from ragcrawler.embedding.inference.fastembed_dense import FastembedDense


class OnnxFamily(ABC):
    """A family that fastembed runs; a subclass says where the folder of a model is."""

    @abstractmethod
    def folder(self, description: ModelDescription, config: EmbeddingConfig) -> ModelFolder:
        """The model's folder; built or fetched when needed."""

    def tokenizer(self, description: ModelDescription, config: EmbeddingConfig) -> Path:
        """The `tokenizer.json` that counts as the model does; built or fetched when needed."""
        return self.folder(description, config).path / "tokenizer.json"

    def open_dense(self, description: ModelDescription, config: EmbeddingConfig) -> "FastembedDense":
        """The loaded model; built or fetched when needed."""
        from ragcrawler.embedding.inference.fastembed_dense import load_dense

        folder = self.folder(description, config)
        return load_dense(_complete(description, folder), folder, config)

    def open_sparse(self, description: ModelDescription, config: EmbeddingConfig) -> FastembedSparse:
        """The loaded model; built or fetched when needed."""
        folder = self.folder(description, config)
        return load_sparse(_complete(description, folder), folder, config)


def _complete(description: ModelDescription, folder: ModelFolder) -> ModelDescription:
    """The description with what only the files tell."""
    return replace(
        description,
        special_tokens=special_tokens(folder.path / "tokenizer.json"),
        fingerprint=description.fingerprint or folder.fingerprint,
    )

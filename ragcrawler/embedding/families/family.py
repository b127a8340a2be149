"""The `ModelFamily` Protocol: models of one origin."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.hub.probe import HubProbe
from ragcrawler.embedding.model_place import ModelPlace
from ragcrawler.embedding.protocol import DenseEmbedder, Kind, ModelDescription, SparseEmbedder


class ModelFamily(Protocol):
    """All models whose names begin alike; a model that is not available raises EmbeddingError."""

    def names(self, kind: Kind) -> Sequence[str]:
        """The names it knows, to suggest from."""

    def describe(self, name: str, kind: Kind) -> ModelDescription | None:
        """The description, without loading or fetching anything; None where there is no such model."""

    def require(self, description: ModelDescription, config: EmbeddingConfig, hub: HubProbe) -> None:
        """Return if the model is available on this machine; else raise an error with the next step."""

    def locate(self, description: ModelDescription, config: EmbeddingConfig) -> ModelPlace:
        """Where an available model comes from; nothing is fetched."""

    def tokenizer(self, description: ModelDescription, config: EmbeddingConfig) -> Path:
        """The `tokenizer.json` that counts as the model does; built or fetched when needed."""

    def open_dense(self, description: ModelDescription, config: EmbeddingConfig) -> DenseEmbedder:
        """The loaded model; built or fetched when needed."""

    def open_sparse(self, description: ModelDescription, config: EmbeddingConfig) -> SparseEmbedder:
        """The loaded model; built or fetched when needed."""

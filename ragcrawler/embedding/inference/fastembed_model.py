"""The base class of fastembed's dense and sparse models."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from ragcrawler.embedding.batch_limits import BatchLimits
from ragcrawler.embedding.inference.model_input import model_input
from ragcrawler.embedding.inference.sorted_batches import embed_sorted
from ragcrawler.embedding.protocol import ModelDescription

VectorT = TypeVar("VectorT")


class FastembedModel(ABC, Generic[VectorT]):
    """An `Embedder` of a model that runs in this process; a subclass adds one run of it, and questions."""

    def __init__(self, model: Any, description: ModelDescription, limits: BatchLimits) -> None:
        self._model = model
        self._description = description
        self._limits = limits

    @property
    def description(self) -> ModelDescription:
        return self._description

    @property
    def limits(self) -> BatchLimits:
        return self._limits

    @abstractmethod
    def embed_batch(self, texts: Sequence[str]) -> list[VectorT]:
        """One vector a text, in their order, by one run."""

    def embed_documents(self, texts: Sequence[str]) -> list[VectorT]:
        """One vector a text, in the order of the texts."""
        return embed_sorted(self.embed_batch, texts, self._limits)

    def close(self) -> None:
        """Nothing to give up: the model goes with the object."""

    def _input(self, text: str) -> str:
        return model_input(text, self._description.limit_tokens)

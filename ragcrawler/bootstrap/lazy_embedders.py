"""Embedders for questions that load their model when the first question wants it."""

from collections.abc import Callable
from functools import cached_property
from typing import Generic, TypeVar

from ragcrawler.bootstrap.start_error import start_errors
from ragcrawler.config.configuration import Configuration
from ragcrawler.embedding.model_registry import family_of
from ragcrawler.embedding.protocol import DenseEmbedder, Embedder, SparseEmbedder
from ragcrawler.embedding.selection import Selection, select_models
from ragcrawler.stores import CollectionModels

VectorT = TypeVar("VectorT")


class LazyEmbedder(Generic[VectorT]):
    """Embeds questions by a model that is loaded for the first of them."""

    def __init__(self, load: Callable[[], Embedder[VectorT]]) -> None:
        """Have `load` called once, when it is needed."""
        self._load = load

    def embed_query(self, text: str) -> VectorT:
        """The vector of a question.

        Raises:
            StartError: the model is not available.
        """
        with start_errors():
            return self._embedder.embed_query(text)

    @cached_property
    def _embedder(self) -> Embedder[VectorT]:
        return self._load()


class CollectionQueryModels:
    """The models of a collection, chosen together and loaded one by one."""

    def __init__(self, configuration: Configuration, remembered: CollectionModels) -> None:
        self._configuration = configuration
        self._remembered = remembered

    def dense(self) -> DenseEmbedder:
        description = self._selection.dense
        return family_of(description.name).open_dense(description, self._configuration.embedding)

    def sparse(self) -> SparseEmbedder:
        description = self._selection.sparse
        return family_of(description.name).open_sparse(description, self._configuration.embedding)

    @cached_property
    def _selection(self) -> Selection:
        configuration, remembered = self._configuration, self._remembered
        return select_models(
            configuration.dense_model,
            configuration.sparse_model,
            (remembered.dense, remembered.sparse),
            configuration.embedding,
        )

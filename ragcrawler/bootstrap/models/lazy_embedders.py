"""Embedders for questions that load their model when the first question wants it."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Generic, TypeVar

from ragcrawler.bootstrap.start_error import start_errors
from ragcrawler.config.configuration import Configuration
from ragcrawler.embedding.model_registry import family_of
from ragcrawler.embedding.protocol import DenseEmbedder, DenseVector, Embedder, SparseEmbedder
from ragcrawler.embedding.selection import ModelSelection, select_models
from ragcrawler.items import SparseVector
from ragcrawler.stores import CollectionModels

VectorT = TypeVar("VectorT")


class LazyEmbedder(Generic[VectorT]):
    """Embeds questions by a model that is loaded for the first of them.

    Args:
        load: called once, when it is needed.
    """

    def __init__(self, load: Callable[[], Embedder[VectorT]]) -> None:
        self._embedder = cache(load)

    def embed_query(self, text: str) -> VectorT:
        """The vector of a question.

        Raises:
            StartError: the model is not available.
        """
        with start_errors():
            return self._embedder().embed_query(text)


def lazy_embedders(
    configuration: Configuration, remembered: CollectionModels
) -> tuple[LazyEmbedder[DenseVector], LazyEmbedder[SparseVector]]:
    """The dense and the sparse model of a collection, chosen together and loaded one by one."""

    @cache
    def selection() -> ModelSelection:
        names = (remembered.dense, remembered.sparse)
        return select_models(
            configuration.dense_model, configuration.sparse_model, names, configuration.embedding
        )

    def dense() -> DenseEmbedder:
        description = selection().dense
        config = replace(configuration.embedding, token_vectors=bool(remembered.tokens))
        return family_of(description.name).open_dense(description, config)

    def sparse() -> SparseEmbedder:
        description = selection().sparse
        return family_of(description.name).open_sparse(description, configuration.embedding)

    return LazyEmbedder(dense), LazyEmbedder(sparse)

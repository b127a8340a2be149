"""Embedders for questions that ask the process which owns the collection, for it has the models loaded."""

import logging
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from ragcrawler.bootstrap.models.lazy_embedders import LazyEmbedder, lazy_embedders
from ragcrawler.config.configuration import Configuration
from ragcrawler.embedding.protocol import DenseVector
from ragcrawler.embedding.selection import AUTO
from ragcrawler.items import SparseVector
from ragcrawler.retrieval.search.collection_retriever import QueryEmbedder
from ragcrawler.stores import ChunkStore, CollectionModels, StoreError
from ragcrawler.stores.owner.owned_store import OwnedStore, OwnerGoneError

VectorT = TypeVar("VectorT")
QuestionEmbedders = tuple[QueryEmbedder[DenseVector], QueryEmbedder[SparseVector]]
"""The dense and the sparse embedder of a collection."""

_logger = logging.getLogger(__name__)


class OwnerEmbedder(Generic[VectorT]):
    """Asks the owner, and uses a model of this process from the first question on that it does not answer.

    Args:
        ask: the owner.
        own: the same model in this process, loaded when it is wanted.
    """

    def __init__(self, ask: Callable[[str], VectorT], own: LazyEmbedder[VectorT]) -> None:
        self._ask: Callable[[str], VectorT] | None = ask
        self._own = own

    def embed_query(self, text: str) -> VectorT:
        """The vector of a question.

        Raises:
            StartError: neither the owner nor this process has the model.
        """
        if self._ask is not None:
            try:
                return self._ask(text)
            except (OwnerGoneError, StoreError) as error:
                _logger.info("The model is loaded here, for the collection's owner has none: %s", error)
                self._ask = None
        return self._own.embed_query(text)


def question_embedders(
    configuration: Configuration, store: ChunkStore, remembered: CollectionModels
) -> QuestionEmbedders:
    """The dense and the sparse embedder: the owner's, where another process owns the collection.

    Settings that name another model or a service are for this process to judge.
    """
    dense, sparse = lazy_embedders(configuration, remembered)
    names = (configuration.dense_model, configuration.sparse_model)
    is_remembered = all(
        name in (AUTO, each) for name, each in zip(names, (remembered.dense, remembered.sparse), strict=True)
    )
    if not isinstance(store, OwnedStore) or not is_remembered or configuration.embedding.remote:
        return dense, sparse

    def ask(kind: str) -> Callable[[str], Any]:
        return lambda text: store.embed_question(kind, text)

    return OwnerEmbedder(ask("dense"), dense), OwnerEmbedder(ask("sparse"), sparse)

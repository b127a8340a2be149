"""Embedders for questions that stay loaded while their collection is closed."""

from ragcrawler.bootstrap.models.owner_embedders import QuestionEmbedders, question_embedders
from ragcrawler.config.configuration import Configuration
from ragcrawler.stores import ChunkStore, CollectionModels
from ragcrawler.stores.owner.owned_store import OwnedStore


class KeptEmbedders:
    """Opens embedders, and keeps the last ones that run in this process; one thread at a time."""

    def __init__(self) -> None:
        self._key: object = None
        self._kept: QuestionEmbedders | None = None

    def __call__(
        self, configuration: Configuration, store: ChunkStore, remembered: CollectionModels
    ) -> QuestionEmbedders:
        """The embedders of a collection; see `question_embedders`."""
        if isinstance(store, OwnedStore):
            return question_embedders(configuration, store, remembered)
        names = (configuration.dense_model, configuration.sparse_model)
        key = (names, configuration.embedding, remembered)
        if self._kept is None or key != self._key:
            self._kept, self._key = question_embedders(configuration, store, remembered), key
        return self._kept

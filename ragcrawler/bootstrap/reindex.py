"""A collection made anew beside the old one, and its name led to it."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from ragcrawler.bootstrap.catalogue_copy import copy_catalogue, remark_catalogue
from ragcrawler.bootstrap.configuration import Configuration
from ragcrawler.bootstrap.models import open_models
from ragcrawler.bootstrap.reembedding import Reembedding
from ragcrawler.bootstrap.start_error import StartError
from ragcrawler.bootstrap.vector_cache import open_vector_cache
from ragcrawler.items import SemanticChunk
from ragcrawler.stores import ChunkStore, CollectionModels, StoreConfig, open_store
from ragcrawler.stores.names import CollectionNames, open_names
from ragcrawler.stores.rebuild import Rebuilding, Rebuilt, embed_ahead, finish, require_own
from ragcrawler.stores.remembered_models import are_same_models


@dataclass(frozen=True, slots=True)
class Reindexing:
    """What is to be done.

    Attributes:
        configuration: of the collection that is there, and of the models of the new one.
        into: name of the new one.
        told: hears how many more chunks were embedded.
    """

    configuration: Configuration
    into: str
    told: Callable[[int], None] = lambda _: None

    @property
    def name(self) -> str:
        """The name that is searched."""
        return self.configuration.store.collection

    @property
    def names(self) -> CollectionNames:
        """What the names mean."""
        return open_names(self.configuration.store)

    def rebuild(self, *, switch: bool) -> Rebuilt:
        """Fill the new collection, then let the name mean it if asked to; what was done is not done again.

        Raises:
            StartError: there is nothing to rebuild, or the new name is taken.
            StoreError: a chunk does not fit the models, or a store failed.
            EmbeddingError: a model cannot be had, or failed.
        """
        self._require_other()
        if switch:
            self.names.require_switchable(self.name)
        with open_store(self._target()) as target, closing(open_vector_cache(self.configuration)) as cache:
            with self._source() as source:
                old = _required_models(source)
                if target.models() is not None:
                    require_own(source, target)
            models = open_models(self.configuration, target.models(), cache)
            target.create(models.remembered)
            rebuilding = None
            ahead = Rebuilt()
            if not are_same_models(old, models.remembered):
                reembedding = Reembedding(models)
                rebuilding = Rebuilding(reembedding.renew, self._telling(reembedding.embed))
                ahead = embed_ahead(self._source, target, rebuilding)
            with self._source() as source:
                done = finish(source, target, rebuilding)
                target.optimize()
                copy_catalogue(self.configuration, self.name, self.into)
                remark_catalogue(self.configuration, self.into, target)
                if switch:
                    self.switch()
        return replace(done, written=done.written + ahead.written, unchanged=done.unchanged - ahead.written)

    def switch(self) -> None:
        """Let the name mean the new collection, and the record of its documents be the new one's.

        Raises:
            StartError: it means it already.
            StoreError: there is no such collection, or the name cannot be led to it.
        """
        old = self.names.meaning(self.name)
        self.names.switch(self.name, self.into)
        if self.names.meaning(self.name) == old:
            raise StartError(f"{self.name!r} means {old!r} already")
        copy_catalogue(self.configuration, self.into, self.name)

    def _require_other(self) -> None:
        if self.names.meaning(self.into) == self.names.meaning(self.name):
            raise StartError(
                f"{self.into!r} is the collection that {self.name!r} means already: choose another name"
            )

    def _target(self) -> StoreConfig:
        return replace(self.configuration.store, collection=self.into)

    def _source(self) -> ChunkStore:
        return open_store(self.configuration.store)

    def _telling(
        self, embed: Callable[[Sequence[SemanticChunk]], list[SemanticChunk]]
    ) -> Callable[[Sequence[SemanticChunk]], list[SemanticChunk]]:
        def told(chunks: Sequence[SemanticChunk]) -> list[SemanticChunk]:
            embedded = embed(chunks)
            self.told(len(embedded))
            return embedded

        return told


def _required_models(store: ChunkStore) -> CollectionModels:
    models = store.models()
    if models is None:
        raise StartError(
            f"there is no collection at {store.location} to rebuild; crawl something into it first"
        )
    return models

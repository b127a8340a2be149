"""A collection made anew beside the old one, and its name led to it."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from ragcrawler.bootstrap.models.collection_embedders import collection_models, open_collection_embedders
from ragcrawler.bootstrap.models.vector_cache import open_vector_cache
from ragcrawler.bootstrap.start_error import StartError
from ragcrawler.config.configuration import Configuration
from ragcrawler.embedding.embedders import Embedders
from ragcrawler.items import SemanticChunk
from ragcrawler.maintenance.catalogue_copy import copy_catalogue, refresh_chunk_records
from ragcrawler.maintenance.reembedding import Reembedding
from ragcrawler.stores import ChunkStore, CollectionModels, StoreConfig, open_store
from ragcrawler.stores.aliases import CollectionAliases, open_aliases
from ragcrawler.stores.remembered_models import are_same_models
from ragcrawler.stores.transfer.rebuild import (
    Rebuilding,
    Rebuilt,
    copy_chunks,
    embed_ahead,
    finish,
    require_fit,
    require_own,
)


@dataclass(frozen=True, slots=True)
class Reindexing:
    """The steps of a reindexing.

    Attributes:
        configuration: of the collection that is there, and of the models of the new one.
        into: name of the new one.
        on_embedded: called with how many more chunks were embedded.
    """

    configuration: Configuration
    into: str
    on_embedded: Callable[[int], None] = lambda _: None

    @property
    def name(self) -> str:
        """The name that is searched."""
        return self.configuration.store.collection

    @property
    def aliases(self) -> CollectionAliases:
        """The aliases where the collection is."""
        return open_aliases(self.configuration.store)

    def rebuild(self, *, switch: bool) -> Rebuilt:
        """Fill the new collection, then point the name at it if asked to; finished steps are not repeated.

        Raises:
            StartError: there is nothing to rebuild, or the new name is taken.
            StoreError: a chunk does not fit the models, or a store failed.
            EmbeddingError: a model is not available, or failed.
        """
        self._require_other()
        if switch:
            self.aliases.require_switchable(self.name)
        with open_store(self._target()) as target, closing(open_vector_cache(self.configuration)) as cache:
            with self._source() as source:
                old = _required_models(source)
                if target.models() is not None:
                    require_own(source, target)
            embedders = open_collection_embedders(self._for_new(old), target.models(), cache)
            new = collection_models(embedders)
            rebuilding = None if are_same_models(old, new) else self._rebuilding(embedders)
            ahead = self._ahead(target, new, rebuilding)
            with self._source() as source:
                done = finish(source, target, rebuilding)
                target.optimize()
                copy_catalogue(self.configuration, self.name, self.into)
                refresh_chunk_records(self.configuration, self.into, target)
                if switch:
                    self._switch()
        return replace(done, written=done.written + ahead.written, unchanged=done.unchanged - ahead.written)

    def only_switch(self) -> None:
        """Point the name at the new collection, which exists already.

        Raises:
            StartError: it holds nothing, or the name means it already.
            StoreError: it cannot be opened, or the name cannot become its alias.
        """
        if self.into != self.name:
            with open_store(self._target()) as target:
                if target.models() is None or not target.count():
                    raise StartError(f"there is nothing in {target.location} to switch to")
        self._switch()

    def _switch(self) -> None:
        old = self.aliases.resolve(self.name)
        self.aliases.switch(self.name, self.into)
        if self.aliases.resolve(self.name) == old:
            raise StartError(f"{self.name!r} means {old!r} already")
        copy_catalogue(self.configuration, self.into, self.name)

    def _require_other(self) -> None:
        if self.aliases.resolve(self.into) == self.aliases.resolve(self.name):
            raise StartError(
                f"{self.into!r} is the collection that {self.name!r} means already: choose another name"
            )

    def _for_new(self, old: CollectionModels) -> Configuration:
        """Settings by which it has token vectors if the old one has them, where nothing is said of them."""
        embedding = self.configuration.embedding
        if embedding.token_vectors is None:
            embedding = replace(embedding, token_vectors=bool(old.tokens))
        return replace(self.configuration, embedding=embedding)

    def _target(self) -> StoreConfig:
        return replace(self.configuration.store, collection=self.into)

    def _source(self) -> ChunkStore:
        """Without others that write: what came meanwhile would be in the old one alone."""
        return open_store(self.configuration.store, may_share=False)

    def _ahead(self, target: ChunkStore, models: CollectionModels, rebuilding: Rebuilding | None) -> Rebuilt:
        """Make the new collection, and embed into it what there is by now."""
        if rebuilding is None:
            target.create(models)
            return Rebuilt()
        with copy_chunks(self._source) as chunks:
            require_fit(chunks, rebuilding)
            target.create(models)
            return embed_ahead(chunks, target, rebuilding)

    def _rebuilding(self, embedders: Embedders) -> Rebuilding:
        reembedding = Reembedding(embedders)

        def embed(chunks: Sequence[SemanticChunk]) -> list[SemanticChunk]:
            embedded = reembedding.embed(chunks)
            self.on_embedded(len(embedded))
            return embedded

        return Rebuilding(reembedding.renew, embed)


def _required_models(store: ChunkStore) -> CollectionModels:
    models = store.models()
    if models is None:
        raise StartError(
            f"there is no collection at {store.location} to rebuild; crawl something into it first"
        )
    return models

"""Repairs with what they need, loaded when it is needed."""

from collections.abc import Sequence
from functools import cached_property

from ragcrawler.bootstrap.models.collection_embedders import open_collection_embedders
from ragcrawler.bootstrap.models.vector_cache import open_vector_cache
from ragcrawler.catalogue import DocumentCatalogue
from ragcrawler.config.configuration import Configuration
from ragcrawler.embedding.embedders import Embedders
from ragcrawler.items import SemanticChunk, Vectors
from ragcrawler.maintenance.verification.index_scan import DocumentFaults
from ragcrawler.maintenance.verification.repair import Repairs, repair
from ragcrawler.stores import ChunkStore, CollectionModels


class Repairer:
    """Mends documents; models are loaded for the first chunk that has to be embedded."""

    def __init__(
        self,
        configuration: Configuration,
        store: ChunkStore,
        catalogue: DocumentCatalogue,
        models: CollectionModels,
    ) -> None:
        self._configuration = configuration
        self._store = store
        self._catalogue = catalogue
        self._remembered = models

    def repair(self, faulty: DocumentFaults) -> Repairs:
        """Mend one.

        Raises:
            StoreError: the store cannot be written.
            CatalogueError: the catalogue cannot be written.
            EmbeddingError: a model is not available, or refuses a text.
        """
        return repair(self._store, self._catalogue, faulty, self._remembered, self._embed)

    def close(self) -> None:
        """Let go of models and cache, if they were loaded."""
        if "_embedders" in self.__dict__:
            self._embedders.close()
            self._embedders.cache.close()

    @cached_property
    def _embedders(self) -> Embedders:
        cache = open_vector_cache(self._configuration)
        return open_collection_embedders(self._configuration, self._remembered, cache)

    def _embed(self, chunks: Sequence[SemanticChunk]) -> list[Vectors]:
        return self._embedders.embed(chunks)

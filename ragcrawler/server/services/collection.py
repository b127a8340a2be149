"""The collection that is served: its store, its models and its catalogue, for any number of threads."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from threading import Lock
from typing import Generic, Self, TypeVar

from ragcrawler.bootstrap.catalogue_place import catalogue_place
from ragcrawler.bootstrap.models.lazy_embedders import lazy_embedders
from ragcrawler.bootstrap.models.rerankers import open_expander, open_reranker
from ragcrawler.bootstrap.start_error import start_errors
from ragcrawler.catalogue import CatalogueError, DocumentCatalogue
from ragcrawler.config.configuration import Configuration
from ragcrawler.config.models.language_model import language_model_config
from ragcrawler.config.models.search import search_options
from ragcrawler.items import SparseVector
from ragcrawler.llm.open import open_language_model
from ragcrawler.llm.protocol import LanguageModel, LanguageModelError
from ragcrawler.maintenance.open_catalogue import open_catalogue
from ragcrawler.retrieval import CollectionRetriever, SearchOptions
from ragcrawler.retrieval.reranking.rerank import Reranker
from ragcrawler.retrieval.search.collection_retriever import QueryEmbedder
from ragcrawler.retrieval.search.expansion import Expander
from ragcrawler.run.execution.single_thread_executor import SingleThreadExecutor
from ragcrawler.run.indexing.shared_store import SharedStore
from ragcrawler.server.services.errors import UnavailableError
from ragcrawler.server.services.store_lock import StoreTurns
from ragcrawler.stores import ChunkStore, CollectionModels, StoreBusyError, StoreConfig, open_store
from ragcrawler.stores.owner.calls import EmbedQuestion
from ragcrawler.stores.owner.socket_file import socket_file
from ragcrawler.stores.owner.store_server import StoreServer
from ragcrawler.stores.qdrant_embedded.store import QdrantEdgeStore

Result = TypeVar("Result")
VectorT = TypeVar("VectorT")

_PAID_RERANKER = "llm"


class SerialEmbedder(Generic[VectorT]):
    """Embeds one question at a time: models are not for several threads at once."""

    def __init__(self, embedder: QueryEmbedder[VectorT]) -> None:
        self._embedder = embedder
        self._turn = Lock()

    def embed_query(self, text: str) -> VectorT:
        """The vector of a question."""
        with self._turn:
            return self._embedder.embed_query(text)


class ServedCollection:
    """An open collection; its methods may be called by several threads, but not by the event loop.

    Args:
        settings: all of them.
        configuration: made of them.
        store: open; it is closed with this.
        store_thread: takes the calls on the store in turns.

    Attributes:
        settings: as given.
        configuration: as given.
        store: reads, each call in its turn.
        options: of searches, as the settings have them.
    """

    def __init__(
        self,
        settings: Mapping[str, object],
        configuration: Configuration,
        store: ChunkStore,
        store_thread: SingleThreadExecutor,
    ) -> None:
        self.configuration = configuration
        self.store = SharedStore(store, store_thread)
        self.options: SearchOptions = search_options(settings)
        self.settings = settings
        self._owned_store = store
        self._store_thread = store_thread
        self._catalogue_thread = SingleThreadExecutor("catalogue")
        self._catalogue: DocumentCatalogue | None = None
        self._opened = ExitStack()  # used on the catalogue's thread alone
        self._models: tuple[str, str] | None = None
        self._embedders: tuple[SerialEmbedder[Sequence[float]], SerialEmbedder[SparseVector]] | None = None
        self._choosing = Lock()
        # Last of all: others may ask at once.
        executor = store_thread.executor
        self._sharing = executor.submit(share_store, store, executor, self._embed_question).result()

    @classmethod
    def open(cls, settings: Mapping[str, object], *, may_share: bool = False) -> Self:
        """Open the collection that the settings name, whether or not it is there yet.

        An embedded one is owned by this process, and others read and write it through this one.

        Args:
            settings: all of them.
            may_share: where another process owns it already, use it through that one.

        Raises:
            StartError: a setting is wrong, or the store cannot be opened.
        """
        with start_errors():
            configuration = Configuration.from_settings(settings)
            search_options(settings)
            thread = StoreTurns()
            store = thread.executor.submit(_open, configuration.store, may_share=may_share).result()
            return cls(settings, configuration, store, thread)

    def retriever(
        self, *, reranker: Reranker | None = None, expander: Expander | None = None
    ) -> CollectionRetriever | None:
        """Search the collection; None while there is none.

        Args:
            reranker: orders the hits.
            expander: finds other wordings of a question.
        """
        remembered = self.store.models()
        if remembered is None:
            return None
        dense, sparse = self._embedders_of(remembered)
        return CollectionRetriever(
            self.store, dense, sparse, reranker=reranker, expander=expander, options=self.options
        )

    @cached_property
    def free_reranker(self) -> Reranker | None:
        """The reranker of the settings, unless it is a language model."""
        return None if self.settings.get("RERANKER") == _PAID_RERANKER else self._reranker_named(None)

    @cached_property
    def paid_reranker(self) -> Reranker | None:
        """The reranker of the settings, whichever it is."""
        return self._reranker_named(None)

    @cached_property
    def cross_encoder(self) -> Reranker | None:
        """The reranker that runs on this machine."""
        return self._reranker_named("cross-encoder")

    @cached_property
    def expander(self) -> Expander | None:
        """The query expander of the settings; it asks the language model."""
        return open_expander(self.settings)

    @property
    def has_language_model(self) -> bool:
        """Whether the settings name one; it is not opened."""
        return bool(self.settings.get("LLM_MODEL"))

    @cached_property
    def language_model(self) -> LanguageModel:
        """The model of the settings.

        Raises:
            UnavailableError: none is configured, or it cannot be opened.
        """
        try:
            return open_language_model(language_model_config(self.settings))
        except LanguageModelError as error:
            raise UnavailableError(str(error)) from error

    def with_catalogue(self, question: Callable[[DocumentCatalogue], Result]) -> Result:
        """Call a function with the record of the documents; an empty one where there is none yet.

        Raises:
            UnavailableError: it cannot be read.
        """
        try:
            return self._catalogue_thread.executor.submit(self._ask_catalogue, question).result()
        except CatalogueError as error:
            raise UnavailableError(str(error)) from error

    def close(self) -> None:
        """Close store and catalogue; calling it twice is fine."""
        if self._sharing is not None:
            self._sharing.close()
        self._catalogue_thread.executor.submit(self._opened.close).result()
        self._store_thread.executor.submit(self._owned_store.close).result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _reranker_named(self, name: str | None) -> Reranker | None:
        settings = self.settings if name is None else {**self.settings, "RERANKER": name}
        return open_reranker(settings, self.configuration.embedding)

    def _embedders_of(
        self, remembered: CollectionModels
    ) -> tuple[SerialEmbedder[Sequence[float]], SerialEmbedder[SparseVector]]:
        """Those of the collection's models, loaded when a question wants them and kept."""
        models = (remembered.dense, remembered.sparse)
        with self._choosing:
            if self._embedders is None or self._models != models:
                dense, sparse = lazy_embedders(self.configuration, remembered)
                self._embedders = (SerialEmbedder(dense), SerialEmbedder(sparse))
                self._models = models
            return self._embedders

    def _embed_question(self, kind: str, text: str) -> Sequence[float] | SparseVector:
        """For another process that uses the collection through this one."""
        remembered = self.store.models()
        if remembered is None:
            raise UnavailableError("there is no collection yet")
        dense, sparse = self._embedders_of(remembered)
        return dense.embed_query(text) if kind == "dense" else sparse.embed_query(text)

    def _ask_catalogue(self, question: Callable[[DocumentCatalogue], Result]) -> Result:
        place = catalogue_place(self.configuration)
        if self._catalogue is None and place.exists():
            self._catalogue = self._opened.enter_context(open_catalogue(place, is_made=False))
        if self._catalogue is not None:
            return question(self._catalogue)
        with open_catalogue(place, is_made=False) as nothing:
            return question(nothing)


def _open(config: StoreConfig, *, may_share: bool) -> ChunkStore:
    try:
        return open_store(replace(config, claims=True), may_share=False)
    except StoreBusyError:
        if not may_share:
            raise
        return open_store(config)


def share_store(
    store: ChunkStore, executor: Executor, embed: EmbedQuestion | None = None
) -> StoreServer | None:
    """Answer other processes about an embedded collection; None where this process owns none.

    Args:
        store: open.
        executor: of the one thread that may call it.
        embed: makes the vectors of questions for others too; None where this process has no models for it.

    Raises:
        StoreError: the socket cannot be made.
    """
    folder = store.owned_folder if isinstance(store, QdrantEdgeStore) else None
    return StoreServer(store, executor, socket_file(folder), embed) if folder is not None else None

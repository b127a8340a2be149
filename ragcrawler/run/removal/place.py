"""What places are asked with: the open collection, and what is taken out."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ragcrawler.bootstrap.catalogue_place import catalogue_place
from ragcrawler.catalogue import DocumentCatalogue, DocumentRecord
from ragcrawler.config.configuration import Configuration
from ragcrawler.frontier.filters.kept_out import KeptOut
from ragcrawler.stores import ChunkStore, open_store

if TYPE_CHECKING:
    from ragcrawler.embedding.embedders import Embedders

_BUSY_SECONDS = 30.0


class Premises:
    """An open collection, and what else belongs to it.

    Attributes:
        settings: all of them.
        configuration: made of them.
        store: open.
        catalogue: open.
    """

    def __init__(
        self,
        settings: Mapping[str, object],
        configuration: Configuration,
        store: ChunkStore,
        catalogue: DocumentCatalogue,
    ) -> None:
        self.settings = settings
        self.configuration = configuration
        self.store = store
        self.catalogue = catalogue
        self._closing = ExitStack()

    @cached_property
    def embedders(self) -> "Embedders":
        """The models of the collection, which know their vectors in the cache.

        Raises:
            EmbeddingError: one is not available.
            OSError: the cache cannot be used.
        """
        from ragcrawler.bootstrap.models.collection_embedders import open_collection_embedders
        from ragcrawler.bootstrap.models.vector_cache import open_vector_cache

        cache = open_vector_cache(self.configuration)
        self._closing.callback(cache.close)
        embedders = open_collection_embedders(self.configuration, self.store.models(), cache)
        self._closing.callback(embedders.close)
        return embedders

    def close(self) -> None:
        """Close models and cache, where they were opened."""
        self._closing.close()


@contextmanager
def open_premises(
    settings: Mapping[str, object], configuration: Configuration, *, writes: bool
) -> Iterator[Premises]:
    """Open the collection that the settings name.

    Args:
        settings: all of them.
        configuration: made of them.
        writes: keep other writers out meanwhile.

    Raises:
        StoreError: the store cannot be opened, or another process writes to it.
        CatalogueError: the catalogue cannot be opened.
    """
    with ExitStack() as stack:
        store = stack.enter_context(open_store(replace(configuration.store, claims=writes)))
        catalogue = stack.enter_context(catalogue_place(configuration).open())
        premises = Premises(settings, configuration, store, catalogue)
        stack.callback(premises.close)
        yield premises


@dataclass(frozen=True, slots=True)
class Taking:
    """What is taken out of a place.

    Attributes:
        covered: says which URLs.
        documents: some of these, where the place is asked for documents.
        is_dry: only look.
    """

    covered: KeptOut
    documents: Sequence[DocumentRecord] = ()
    is_dry: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A place.

    Attributes:
        name: what is there, in the plural.
        take: removes it, as often as it is called, and says how much there was; a dry one only says so. It
            raises `LeftError` where something has to stay.
        erase: rewrites the file in which bytes of it are left; does nothing where none are.
    """

    name: str
    take: Callable[[Premises, Taking], int]
    erase: Callable[[Premises], None] = lambda _: None


def rewrite_file(path: Path) -> None:
    """Write a SQLite file anew, and empty its log: deleted rows stay in both until others take their room.

    Raises:
        OSError: it cannot be written.
    """
    if not path.exists():
        return
    try:
        with closing(sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)) as database:
            database.execute("VACUUM")
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        raise OSError(0, f"it could not be rewritten ({error})", str(path)) from error


class LeftError(Exception):
    """Something stays where it is; says what and why.

    Attributes:
        taken: how much does not stay, by name.
    """

    def __init__(self, message: str, taken: Mapping[str, int] | None = None) -> None:
        super().__init__(message)
        self.taken = taken or {}

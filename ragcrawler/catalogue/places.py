"""Where a catalogue is, before it is opened."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self

from ragcrawler.catalogue.errors import CatalogueError, catalogue_errors
from ragcrawler.catalogue.protocol import DocumentCatalogue
from ragcrawler.catalogue.sqlite.catalogue import SqliteCatalogue
from ragcrawler.postgres.address import PostgresAddress
from ragcrawler.postgres.errors import PostgresError
from ragcrawler.postgres.waiting import Patience

if TYPE_CHECKING:
    from ragcrawler.catalogue.postgres.catalogue import PostgresCatalogue


class CataloguePlace(Protocol):
    """A place for the catalogue of one collection; as text, it says where that is."""

    def exists(self) -> bool:
        """Whether there is a catalogue.

        Raises:
            CatalogueError: it cannot be looked for.
        """

    def open(self) -> DocumentCatalogue:
        """Open it, made where it is not there.

        Raises:
            CatalogueError: it cannot be used.
        """

    def copy_from(self, other: Self) -> None:
        """Put a copy of another catalogue here, in place of what was here; what either keeps out, both do.

        Raises:
            CatalogueError: one of them cannot be used.
        """


@dataclass(frozen=True, slots=True)
class CatalogueFile(CataloguePlace):
    """A SQLite file."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)

    def exists(self) -> bool:
        return self.path.exists()

    def open(self) -> SqliteCatalogue:
        return SqliteCatalogue(self.path)

    def copy_from(self, other: Self) -> None:
        with other.open() as source, self.open() as old:
            _take_over(source, old)
            old.clear()
        with (
            catalogue_errors("copy", str(other)),
            closing(sqlite3.connect(other.path)) as original,
            closing(sqlite3.connect(self.path)) as copy,
        ):
            original.backup(copy)


@dataclass(frozen=True, slots=True)
class CatalogueSchema(CataloguePlace):
    """A schema of a PostgreSQL database."""

    address: PostgresAddress
    schema: str
    patience: Patience = field(default_factory=Patience, compare=False)

    def __str__(self) -> str:
        return f"PostgreSQL at {self.address.shown}, schema {self.schema}"

    def exists(self) -> bool:
        from ragcrawler.postgres.session import PostgresSession

        query = "SELECT 1 FROM pg_tables WHERE schemaname = :name AND tablename = 'documents'"
        try:
            with PostgresSession(self.address, patience=self.patience) as session:
                return bool(session.rows(query, name=self.schema))
        except PostgresError as error:
            raise CatalogueError(f"Cannot look for the catalogue: {error}") from error

    def open(self) -> "PostgresCatalogue":
        from ragcrawler.catalogue.postgres.catalogue import PostgresCatalogue

        return PostgresCatalogue(self.address, self.schema, self.patience)

    def copy_from(self, other: Self) -> None:
        from ragcrawler.catalogue.postgres.catalogue import TABLES

        with other.open() as source, self.open() as here:
            _take_over(source, here)
            here.keep_out(source.kept_out())
            here.remember_taken_out(source.taken_out())

            def copy() -> None:
                here.clear()
                for table in (*TABLES, "shared_blocks"):
                    here.rows(f'INSERT INTO {table} SELECT * FROM "{other.schema}".{table}')  # noqa: S608 - names of our own

            here.in_transaction(copy)


def _take_over(source: DocumentCatalogue, old: DocumentCatalogue) -> None:
    """Hand on, before a catalogue is copied over another, what must not be lost with that one."""
    source.keep_out(old.kept_out())
    source.remember_taken_out(old.taken_out())

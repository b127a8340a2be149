"""The connection to a catalogue's file."""

import sqlite3
from pathlib import Path

from ragcrawler.catalogue.errors import catalogue_errors
from ragcrawler.catalogue.schema import migrate

_BUSY_SECONDS = 30.0


def open_database(path: Path | None) -> sqlite3.Connection:
    """The file's database with its tables, made where it is not there; None: one in memory.

    With the write-ahead log a killed process loses nothing. `synchronous = NORMAL` lets a power cut take back
    the last transactions, whole ones, but none before the last durable one. Then the catalogue is behind the
    collection, and the next crawl only does some pages again. It is never ahead, which would pass for done
    what is not: the collection is flushed before the catalogue is written.

    Raises:
        CatalogueError: the file cannot be made, is damaged, or not ours.
    """
    with catalogue_errors("open", path):
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(path or ":memory:", timeout=_BUSY_SECONDS, isolation_level=None)
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            migrate(database)
        except BaseException:
            database.close()
            raise
        return database

"""The error of a catalogue that cannot be used."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class CatalogueError(Exception):
    """The file cannot be opened, read or written; says which, why, and what to do."""


@contextmanager
def catalogue_errors(doing: str, path: Path | None) -> Iterator[None]:
    """Turn what the database says into a `CatalogueError` that names the file."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        place = repr(str(path)) if path else "in memory"
        raise CatalogueError(
            f"Cannot {doing} the catalogue {place}: {error}. Check that its folder is writable and the disk "
            "not full; if it is damaged, move it away and run `scrapy verify --repair`: it is made anew from "
            "the collection."
        ) from error

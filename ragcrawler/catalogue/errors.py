"""The error of a catalogue that cannot be used."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager


class CatalogueError(Exception):
    """It cannot be opened, read or written; says which, why, and what to do."""


@contextmanager
def catalogue_errors(doing: str, place: str) -> Iterator[None]:
    """Turn what the database says into a `CatalogueError` that names the file."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise CatalogueError(
            f"Cannot {doing} the catalogue {place}: {error}. Check that its folder is writable and the disk "
            "not full; if it is damaged, move it away and run `scrapy verify --repair`: it is made anew from "
            "the collection."
        ) from error

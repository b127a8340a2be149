"""Errors of a state that cannot be read or written: one sentence with the next step."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_HINTS = (
    ("disk is full", "free some space and start the crawl again: it goes on where it stood"),
    ("locked", "another program works on it: end that one first"),
    ("malformed", "copy it back from a backup, or begin anew with -s RESUME=0"),
    ("not a database", "move it away, or begin anew with -s RESUME=0"),
    ("unable to open", "look at the folder and its permissions"),
    ("readonly", "look at the permissions of the file and its folder"),
)


class FrontierStateError(Exception):
    """The state of a crawl cannot be used; the message says which file, why, and what to do."""


def state_error(path: Path | None, error: Exception) -> FrontierStateError:
    """An error of SQLite or of the disk as one sentence."""
    hint = next((hint for word, hint in _HINTS if word in str(error)), "look at the file and its disk")
    return FrontierStateError(f"the state of the crawl in {path}: {error}; {hint}")


@contextmanager
def state_errors(path: Path | None) -> Iterator[None]:
    """Turn errors of SQLite and of the disk into one sentence.

    Raises:
        FrontierStateError: there was one.
    """
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise state_error(path, error) from error

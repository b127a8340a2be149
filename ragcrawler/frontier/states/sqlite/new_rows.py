"""Rows of URLs that are held back, to be inserted together."""

from typing import Any

from ragcrawler.frontier.states.sqlite.database import StateDatabase
from ragcrawler.frontier.states.sqlite.key_look_up import KeyLookUp

_MOST = 1000
_INSERT = (
    "INSERT INTO urls (key, site, state, priority, depth, parent, is_named, attempts, url)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
SITE, STATE, TEXT = 1, 2, 8
"""Places of columns in such a row."""


class NewRows:
    """Makes one statement of a page's links; one that a filter refuses is decided before it is written.

    Whoever looks at the table writes them first.

    Args:
        database: gets them.
        keys: must not remember what is not there any more.
    """

    def __init__(self, database: StateDatabase, keys: KeyLookUp) -> None:
        self._database = database
        self._keys = keys
        self._rows: dict[int, list[Any]] = {}
        database.when_saving(self.write)

    def put(self, row: list[Any]) -> None:
        """Hold back a row, whose first column is its key."""
        self._database.begin()
        self._rows[row[0]] = row
        if len(self._rows) >= _MOST:
            self.write()

    def get(self, key: int) -> list[Any] | None:
        """A row that was not written yet; it may be changed."""
        return self._rows.get(key)

    def write(self) -> None:
        """Insert them, in the order in which they came."""
        if self._rows:
            rows = list(self._rows.values())
            self._rows.clear()
            self._keys.forget()
            self._database.write_many(_INSERT, rows)

    def forget(self) -> None:
        """They are taken back."""
        self._rows.clear()

"""Looks up the keys of a page's links together."""

from collections.abc import Sequence

from ragcrawler.frontier.states.sqlite.database import StateDatabase

_AT_ONCE = 512
_FROM = "FROM keys CROSS JOIN urls ON urls.id = keys.id"

StoredUrl = tuple[int, int, str]
"""State, host and URL of a row."""


class KeyLookUp:
    """Remembers what was found until something is written: then a row may be another.

    Args:
        database: of the state.
    """

    def __init__(self, database: StateDatabase) -> None:
        self._database = database
        self._found: dict[int, StoredUrl | None] = {}
        database.when_saving(self.forget)

    def prepare(self, keys: Sequence[int]) -> None:
        """Look up keys that are about to be asked for."""
        self._found = dict.fromkeys(keys)
        for start in range(0, len(keys), _AT_ONCE):
            some = keys[start : start + _AT_ONCE]
            # A statement for each power of two: with one for each number few would be prepared already.
            size = 1 << (len(some) - 1).bit_length()
            query = f"SELECT keys.key, state, site, url {_FROM} WHERE keys.key IN ({', '.join('?' * size)})"
            for key, *stored in self._database.read(query, [*some, *([some[-1]] * (size - len(some)))]):
                self._found[key] = (stored[0], stored[1], stored[2])

    def get(self, key: int) -> StoredUrl | None:
        """What is stored under a key, as far as it is in the index."""
        if key in self._found:
            return self._found[key]
        query = f"SELECT state, site, url {_FROM} WHERE keys.key = ?"
        found: StoredUrl | None = self._database.read(query, (key,)).fetchone()
        return found

    def forget(self) -> None:
        """Rows are about to change."""
        self._found.clear()

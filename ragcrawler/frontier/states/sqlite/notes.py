"""Counters, sets and texts in SQLite."""

from collections.abc import Iterator, Mapping

from ragcrawler.frontier.states.records import NoteEntry, key64
from ragcrawler.frontier.states.sqlite.database import StateDatabase

_ADD = "INSERT INTO counters VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = value + excluded.value"


class SqliteNotes:
    """A table for each form; kinds are small numbers there.

    Args:
        database: of the state.
    """

    def __init__(self, database: StateDatabase) -> None:
        self._database = database
        self._named: set[tuple[str, str]] = set()
        self._load()
        database.when_rolled_back(self._load)
        database.when_rolled_back(self._named.clear)

    def count(self, kind: str, key: int, amount: int = 1) -> int:
        """See `Notes`."""
        self._database.write(_ADD, (self._id(kind), key, amount))
        return self.counter(kind, key)

    def counter(self, kind: str, key: int) -> int:
        """See `Notes`."""
        return self._number("SELECT value FROM counters WHERE kind = ? AND key = ?", kind, key)

    def count_named(self, kind: str, amounts: Mapping[str, int]) -> None:
        """See `Notes`."""
        number = self._id(kind)
        for name, amount in amounts.items():
            self._database.write(_ADD, (number, key64(name), amount))
            if (kind, name) not in self._named:
                self.put(kind, key64(name), name)
                self._named.add((kind, name))

    def named_counts(self, kind: str) -> Mapping[str, int]:
        """See `Notes`."""
        return {name: self.counter(kind, key64(name)) for name in self.texts(kind)}

    def raise_to(self, kind: str, key: int, value: int) -> None:
        """See `Notes`."""
        self._database.write(
            "INSERT INTO counters VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET value = max(value, excluded.value)",
            (self._id(kind), key, value),
        )

    def add_member(self, kind: str, key: int, member: int, limit: int = 0) -> bool:
        """See `Notes`."""
        if self.has_member(kind, key, member):
            return True
        if limit and self.size(kind, key) >= limit:
            return False
        self._database.write("INSERT INTO members VALUES (?, ?, ?)", (self._id(kind), key, member))
        self._resize(kind, key, 1)
        return True

    def insert_member(self, kind: str, key: int, member: int, limit: int = 0) -> bool:
        """See `Notes`."""
        return not self.has_member(kind, key, member) and self.add_member(kind, key, member, limit)

    def has_member(self, kind: str, key: int, member: int) -> bool:
        """See `Notes`."""
        if kind not in self._kinds:
            return False
        query = "SELECT 1 FROM members WHERE kind = ? AND key = ? AND member = ?"
        return self._database.read(query, (self._kinds[kind], key, member)).fetchone() is not None

    def size(self, kind: str, key: int) -> int:
        """See `Notes`."""
        return self._number("SELECT size FROM set_sizes WHERE kind = ? AND key = ?", kind, key)

    def discard_member(self, kind: str, key: int, member: int) -> None:
        """See `Notes`."""
        query = "DELETE FROM members WHERE kind = ? AND key = ? AND member = ?"
        if self._database.write(query, (self._id(kind), key, member)).rowcount:
            self._resize(kind, key, -1)

    def put(self, kind: str, key: int, text: str) -> None:
        """See `Notes`."""
        self._database.write("REPLACE INTO texts VALUES (?, ?, ?)", (self._id(kind), key, text))

    def swap(self, kind: str, key: int, expected: str | None, text: str) -> bool:
        """See `Notes`. The file is one process's."""
        is_expected = self.get(kind, key) == expected
        if is_expected:
            self.put(kind, key, text)
        return is_expected

    def get(self, kind: str, key: int) -> str | None:
        """See `Notes`."""
        if kind not in self._kinds:
            return None
        query = "SELECT text FROM texts WHERE kind = ? AND key = ?"
        found = self._database.read(query, (self._kinds[kind], key)).fetchone()
        return str(found[0]) if found else None

    def pop(self, kind: str, key: int) -> str | None:
        """See `Notes`."""
        text = self.get(kind, key)
        if text is not None:
            self._database.write("DELETE FROM texts WHERE kind = ? AND key = ?", (self._id(kind), key))
        return text

    def texts(self, kind: str) -> Iterator[str]:
        """See `Notes`."""
        found = self._database.read(
            "SELECT text FROM texts WHERE kind = ? ORDER BY key", (self._kinds.get(kind, 0),)
        )
        return iter([str(text) for (text,) in found.fetchall()])

    def entries(self) -> Iterator[NoteEntry]:
        """See `Notes`."""
        for form, table, column in (
            ("counter", "counters", "value"),
            ("member", "members", "member"),
            ("text", "texts", "text"),
        ):
            query = f"SELECT name, key, {column} FROM {table} JOIN kinds ON kinds.id = kind"  # noqa: S608
            for kind, key, value in self._database.read(query):
                yield NoteEntry(kind, key, value, form)  # type: ignore[arg-type]  # one of the three above

    def _resize(self, kind: str, key: int, change: int) -> None:
        self._database.write(
            "INSERT INTO set_sizes VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET size = size + excluded.size",
            (self._id(kind), key, change),
        )

    def _number(self, query: str, kind: str, key: int) -> int:
        if kind not in self._kinds:
            return 0
        found = self._database.read(query, (self._kinds[kind], key)).fetchone()
        return int(found[0]) if found else 0

    def _id(self, kind: str) -> int:
        """The number of a kind, which is entered where it is new."""
        number = self._kinds.get(kind)
        if number is None:
            number = len(self._kinds) + 1
            self._database.write("INSERT INTO kinds VALUES (?, ?)", (number, kind))
            self._kinds[kind] = number
        return number

    def _load(self) -> None:
        """Read the kinds: of one that is not among them nothing was ever noted, and nobody need look."""
        rows = self._database.read("SELECT name, id FROM kinds").fetchall()
        self._kinds: dict[str, int] = {str(name): int(number) for name, number in rows}

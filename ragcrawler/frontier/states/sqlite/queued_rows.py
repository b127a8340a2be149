"""The index of the queued rows of URLs, each host's in its order."""

from collections.abc import Iterator
from typing import Any

from ragcrawler.frontier.states.sqlite.database import StateDatabase
from ragcrawler.frontier.states.sqlite.recent_rows import COLUMNS, ID, PRIORITY, SITE, RecentRows

_FIRST = (
    f"SELECT {COLUMNS} FROM queue CROSS JOIN urls ON urls.id = queue.id"  # noqa: S608 - names of our own
    " WHERE queue.site = ? ORDER BY rank, queue.id LIMIT 1"
)


class QueuedRows:
    """A table, and the recent rows behind it.

    Args:
        database: of the state.
        recent: rows that are not in the table.
    """

    def __init__(self, database: StateDatabase, recent: RecentRows) -> None:
        self._database = database
        self._recent = recent

    def first(self, site_id: int) -> Any | None:
        """The row of a host that is leased next: by priority, then first in, first out."""
        stored = self._database.read(_FIRST, (site_id,)).fetchone()
        recent = self._recent.first(site_id)
        if stored is None or (recent is not None and recent[PRIORITY] > stored[PRIORITY]):
            return recent
        return stored

    def sites(self) -> Iterator[int]:
        """The hosts with queued rows."""
        found = set(self._recent.sites())
        yield from found
        # One step of the index for each host: with DISTINCT it would be one for each URL.
        site_id = -1
        query = "SELECT min(site) FROM queue WHERE site > ?"
        while (next_id := self._database.read(query, (site_id,)).fetchone()[0]) is not None:
            site_id = int(next_id)
            if site_id not in found:
                yield site_id

    def put(self, row: Any) -> None:
        """Enter a row that is not recent."""
        values = (row[SITE], -row[PRIORITY], row[ID])
        self._database.write("INSERT INTO queue VALUES (?, ?, ?)", values)

    def remove(self, row: Any) -> None:
        """Take out a row that is not recent."""
        values = (row[SITE], -row[PRIORITY], row[ID])
        self._database.write("DELETE FROM queue WHERE site = ? AND rank = ? AND id = ?", values)

    def clear(self) -> None:
        """Take out all of them."""
        self._database.write("DELETE FROM queue")

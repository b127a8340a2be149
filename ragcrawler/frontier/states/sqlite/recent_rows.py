"""The rows of URLs that came last: they are in memory too, and in no index yet."""

import heapq
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from ragcrawler.frontier.states.sqlite.database import StateDatabase
from ragcrawler.frontier.states.sqlite.key_look_up import KeyLookUp
from ragcrawler.frontier.states.sqlite.outcomes import QUEUED

Row = list[Any]
ID, KEY, SITE, STATE, PRIORITY, DEPTH, PARENT, IS_NAMED, ATTEMPTS, TEXT = range(10)
"""Places of the columns in a row."""

COLUMNS = "urls.id, urls.key, urls.site, state, priority, depth, parent, is_named, attempts, url"

_WRITTEN_AT_ONCE = 1000
_INSERT = "INSERT INTO urls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
# In the order of each index: a page of the file is changed once for many rows, and not once for each row.
# OR FAIL: else SQLite would copy in memory each page that the statement changes.
_INDEX_KEYS = "INSERT OR FAIL INTO keys SELECT key, id FROM urls WHERE id > ? ORDER BY key"
_INDEX_QUEUED = (
    "INSERT OR FAIL INTO queue SELECT site, -priority, id FROM urls"
    " WHERE id > ? AND state = 0 ORDER BY site, -priority, id"
)


class RecentRows:
    """Holds back the links of a page to write them together, and the indexes of many pages.

    A row that a filter refuses is decided before it is written. Both indexes, by key and of the queued rows,
    end with the row whose id is in the table `indexed`; all rows behind it are here.

    Args:
        database: gets them.
        keys: must not remember what is not there any more.
        most: rows that wait for the indexes, until the next commit.
    """

    def __init__(self, database: StateDatabase, keys: KeyLookUp, most: int) -> None:
        self._database = database
        self._keys = keys
        self._most = most
        self._rows: dict[int, Row] = {}
        self._unwritten: list[Row] = []
        # By site: what came since the queue was last asked for, and the queue with its first row at the head;
        # what was decided or leased is passed over there.
        self._arrived: defaultdict[int, list[Row]] = defaultdict(list)
        self._queues: dict[int, list[tuple[int, int, int]]] = {}
        self._in_queues: set[int] = set()
        self._next_id = 1
        database.when_saving(self.write)
        database.when_committing(self._index_many)

    def put(self, row: Row) -> None:
        """Hold back a row; it gets its id here."""
        if not self._unwritten:
            self._database.begin()
        row[ID] = self._next_id
        self._next_id += 1
        self._rows[row[KEY]] = row
        self._unwritten.append(row)
        if row[STATE] == QUEUED:
            self._arrived[row[SITE]].append(row)
        if len(self._unwritten) >= _WRITTEN_AT_ONCE:
            self.write()
            if len(self._rows) >= 2 * self._most:  # in one long transaction
                self.index()

    def get(self, key: int) -> Row | None:
        """A row that is in no index. It may be read, and changed by `change`."""
        return self._rows.get(key)

    def missing(self, keys: Sequence[int]) -> list[int]:
        """The keys that none of them has."""
        return [key for key in keys if key not in self._rows]

    def change(self, row: Row, state: int, attempts: int = 0) -> bool:
        """Set the state of such a row and count attempts; whether the table has the row to change too."""
        row[STATE] = state
        row[ATTEMPTS] += attempts
        if state == QUEUED:
            self._enter(row)
        return not self._unwritten or row[ID] < self._unwritten[0][ID]

    def discard(self, key: int) -> None:
        """Forget a written row, which is deleted."""
        self._rows.pop(key, None)

    def first(self, site_id: int) -> Row | None:
        """The first queued row of a host."""
        for row in self._arrived.pop(site_id, ()):
            if row[STATE] == QUEUED:
                self._enter(row)
        queue = self._queues.get(site_id, [])
        while queue:
            _, row_id, key = queue[0]
            found = self._rows.get(key)
            if found is not None and found[ID] == row_id and found[STATE] == QUEUED:
                return found
            heapq.heappop(queue)
            self._in_queues.discard(row_id)
        self._queues.pop(site_id, None)
        return None

    def sites(self) -> Iterator[int]:
        """The hosts with queued rows."""
        return (site_id for site_id in {*self._queues, *self._arrived} if self.first(site_id) is not None)

    def write(self) -> None:
        """Insert what was held back, in the order in which it came."""
        if self._unwritten:
            rows, self._unwritten = self._unwritten, []
            self._database.write_many(_INSERT, rows)

    def index(self) -> None:
        """Bring the indexes up to the last row."""
        self.write()
        (last,) = self._database.read("SELECT id FROM indexed").fetchone()
        self._database.write(_INDEX_KEYS, (last,))
        self._database.write(_INDEX_QUEUED, (last,))
        self._database.write("UPDATE indexed SET id = ?", (self._next_id - 1,))
        self._keys.forget()
        self._forget()

    def load(self) -> None:
        """Read the rows that are in no index."""
        self._unwritten = []
        self._forget()
        (newest,) = self._database.read("SELECT max(id) FROM urls").fetchone()
        (last,) = self._database.read("SELECT id FROM indexed").fetchone()
        # The number of a row that was deleted is not given again as long as the indexes might name it.
        self._next_id = 1 + max(newest or 0, last)
        for row in self._database.read(f"SELECT {COLUMNS} FROM urls WHERE id > ? ORDER BY id", (last,)):  # noqa: S608
            self._rows[row[KEY]] = list(row)
            if row[STATE] == QUEUED:
                self._arrived[row[SITE]].append(self._rows[row[KEY]])

    def _index_many(self) -> None:
        if len(self._rows) >= self._most:
            self.index()

    def _enter(self, row: Any) -> None:
        if row[ID] not in self._in_queues:
            self._in_queues.add(row[ID])
            queue = self._queues.setdefault(row[SITE], [])
            heapq.heappush(queue, (-row[PRIORITY], row[ID], row[KEY]))

    def _forget(self) -> None:
        self._rows.clear()
        self._arrived.clear()
        self._queues.clear()
        self._in_queues.clear()

"""Which rows of URLs are leased, until when, and by which lease."""

import time
from collections.abc import Sequence

from ragcrawler.frontier.states.records import LEASES
from ragcrawler.frontier.states.sqlite.database import StateDatabase
from ragcrawler.frontier.states.sqlite.notes import SqliteNotes

PARKED = float("inf")
"""The end of a row that nobody leases: only a decision, a release or a lease by its key ends it."""

_MOST = 8192  # that are remembered by key
_BY_ROW = "SELECT until, number FROM leases WHERE id = ?"


class Leases:
    """A table; what the process has leased itself is in memory too, so that its end costs no search.

    Numbers are microseconds since 1970, and always higher than the last one: neither a clock that was set
    back nor a power cut that took back the last of them gives a number twice.

    Args:
        database: of the state.
        notes: of the state; remember the last number.
    """

    def __init__(self, database: StateDatabase, notes: SqliteNotes) -> None:
        self._database = database
        self._notes = notes
        self._known: dict[int, tuple[int, str, int]] = {}
        self._first_end = PARKED
        self._last = 0

    def get(self, key: int) -> tuple[int, str, int] | None:
        """Row id, URL and number of a lease; None where there is none, or it is not remembered."""
        return self._known.get(key)

    def of_row(self, row_id: int) -> tuple[float, int] | None:
        """End and number of the lease of a row, 0 where it is parked."""
        found: tuple[float, int] | None = self._database.read(_BY_ROW, (row_id,)).fetchone()
        return found

    def next_number(self) -> int:
        """The number of a lease that begins."""
        self._last = max(self._last + 1, time.time_ns() // 1000)
        self._notes.raise_to(LEASES, 0, self._last)
        return self._last

    def begin(self, row_id: int, until: float, key: int, url: str, number: int) -> None:
        """Enter a lease, in place of one that the row has."""
        self._database.write("REPLACE INTO leases VALUES (?, ?, ?)", (row_id, until, number))
        self._first_end = min(self._first_end, until)
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[key] = (row_id, url, number)

    def renew(self, row_id: int, until: float, number: int) -> bool:
        """Set when a lease ends; False where there is none with this number."""
        self._first_end = min(self._first_end, until)
        query = "UPDATE leases SET until = ? WHERE id = ? AND number = ?"
        return self._database.write(query, (until, row_id, number)).rowcount > 0

    def end(self, row_id: int, key: int) -> None:
        """Delete a lease."""
        self._known.pop(key, None)
        self._database.write("DELETE FROM leases WHERE id = ?", (row_id,))

    def end_all(self) -> None:
        """Delete all of them."""
        self._known.clear()
        self._database.write("DELETE FROM leases")

    def end_of_parked(self) -> None:
        """Who had parked rows in hand has died: they are nobody's, and stay parked."""
        self._known.clear()
        self._database.write("UPDATE leases SET number = 0 WHERE until = ?", (PARKED,))

    def ended(self, now: float) -> Sequence[tuple[int, int]]:
        """Id and key of each row whose lease ran out by a time."""
        if now < self._first_end:
            return ()
        query = "SELECT id, key FROM urls JOIN leases USING (id) WHERE until <= ?"
        self._first_end = self._first_after(now)
        return self._database.read(query, (now,)).fetchall()

    def not_parked(self) -> Sequence[tuple[int, int]]:
        """Id and key of each row whose lease has an end."""
        query = "SELECT id, key FROM urls JOIN leases USING (id) WHERE until < ?"
        return self._database.read(query, (PARKED,)).fetchall()

    def load(self) -> None:
        """Read the table anew."""
        self._known.clear()
        self._first_end = self._first_after(float("-inf"))
        self._last = max(self._last, self._notes.counter(LEASES, 0))

    def _first_after(self, moment: float) -> float:
        (first,) = self._database.read("SELECT min(until) FROM leases WHERE until > ?", (moment,)).fetchone()
        return PARKED if first is None else float(first)

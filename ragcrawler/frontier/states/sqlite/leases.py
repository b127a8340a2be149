"""Which rows of URLs are leased, and until when."""

from collections.abc import Sequence

from ragcrawler.frontier.states.records import PARKED
from ragcrawler.frontier.states.sqlite.database import StateDatabase

_MOST = 8192  # that are remembered by key


class Leases:
    """A table; what the process has leased itself is in memory too, so that its end costs no search.

    Args:
        database: of the state.
    """

    def __init__(self, database: StateDatabase) -> None:
        self._database = database
        self._known: dict[int, tuple[int, str]] = {}
        self._first_end = PARKED

    def get(self, key: int) -> tuple[int, str] | None:
        """Row id and URL of a leased record; None where it is not leased, or not remembered."""
        return self._known.get(key)

    def begin(self, row_id: int, until: float, key: int, url: str) -> None:
        """Enter a lease."""
        self._database.write("INSERT INTO leases VALUES (?, ?)", (row_id, until))
        self._first_end = min(self._first_end, until)
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[key] = (row_id, url)

    def renew(self, row_id: int, until: float) -> bool:
        """Set when a lease ends; False where there is none."""
        self._first_end = min(self._first_end, until)
        query = "UPDATE leases SET until = ? WHERE id = ?"
        return self._database.write(query, (until, row_id)).rowcount > 0

    def end(self, row_id: int, key: int) -> None:
        """Delete a lease."""
        self._known.pop(key, None)
        self._database.write("DELETE FROM leases WHERE id = ?", (row_id,))

    def end_all(self) -> None:
        """Delete all of them."""
        self._known.clear()
        self._database.write("DELETE FROM leases")

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

    def _first_after(self, time: float) -> float:
        (first,) = self._database.read("SELECT min(until) FROM leases WHERE until > ?", (time,)).fetchone()
        return PARKED if first is None else float(first)

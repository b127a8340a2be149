"""The rows of hosts in SQLite."""

from collections.abc import Iterator
from dataclasses import astuple, fields, replace

from ragcrawler.frontier.states.records import HostRow
from ragcrawler.frontier.states.sqlite.database import StateDatabase

_REMEMBERED = 20_000
_COLUMNS = tuple(field.name for field in fields(HostRow))
_SELECT = f"SELECT {', '.join(_COLUMNS)} FROM sites WHERE name = ?"  # noqa: S608 - names of our own
_UPDATE = f"UPDATE sites SET {', '.join(f'{name} = ?' for name in _COLUMNS)} WHERE name = ?"  # noqa: S608


class SqliteHosts:
    """One row a host, kept for good; the last ones are in memory too.

    Args:
        database: of the state.
    """

    def __init__(self, database: StateDatabase) -> None:
        self._database = database
        self._rows: dict[str, HostRow] = {}
        self._ids: dict[str, int] = {}
        self._names: dict[int, str] = {}
        database.when_rolled_back(self._forget)

    def id_of(self, site: str) -> int:
        """The row id of a host, which is entered where it is new."""
        known = self._ids.get(site)
        if known is None:
            found = self._database.read("SELECT id FROM sites WHERE name = ?", (site,)).fetchone()
            if found is None:
                self._database.write("INSERT INTO sites (name) VALUES (?)", (site,))
                found = self._database.read("SELECT last_insert_rowid()").fetchone()
            known = int(found[0])
            self._remember(site, known)
        return known

    def name_of(self, site_id: int) -> str:
        """The host of a row."""
        name = self._names.get(site_id)
        if name is None:
            name = str(self._database.read("SELECT name FROM sites WHERE id = ?", (site_id,)).fetchone()[0])
            self._remember(name, site_id)
        return name

    def get(self, site: str) -> HostRow:
        """See `HostRows`."""
        row = self._rows.get(site)
        if row is None:
            found = self._database.read(_SELECT, (site,)).fetchone()
            row = HostRow(*found) if found else HostRow()
            self._keep(site, replace(row, is_given_up=bool(row.is_given_up)))
        return self._rows[site]

    def set_delay(self, site: str, seconds: float) -> None:
        """See `HostRows`."""
        if self.get(site).delay_seconds != seconds:
            self._put(site, replace(self.get(site), delay_seconds=seconds))

    def hold(self, site: str, until: float) -> bool:
        """See `HostRows`. Durable at once: a break must not shorten it."""
        if until <= self.get(site).held_until:
            return False
        self._put(site, replace(self.get(site), held_until=until))
        self._database.commit()
        return True

    def give_up(self, site: str) -> None:
        """See `HostRows`."""
        self._put(site, replace(self.get(site), is_given_up=True))

    def begin_request(self, site: str, next_at: float = 0.0) -> None:
        """See `HostRows`."""
        row = self.get(site)
        self._put(site, replace(row, in_flight=row.in_flight + 1, next_at=max(next_at, row.next_at)))

    def end_request(self, site: str) -> None:
        """See `HostRows`."""
        row = self.get(site)
        self._put(site, replace(row, in_flight=max(0, row.in_flight - 1)))

    def set_failures(self, site: str, failures: int, pauses: int) -> None:
        """See `HostRows`."""
        self._put(site, replace(self.get(site), failures=failures, pauses=pauses))

    def take_turn(self, site: str, delay_seconds: float) -> float:  # noqa: ARG002 - nobody else asks
        """See `HostRows`."""
        return 0.0

    def begin_turn(self, site: str, delay_seconds: float, pace_seconds: float) -> float:  # noqa: ARG002 - likewise
        """See `HostRows`."""
        return 0.0

    def postpone_turn(self, site: str, seconds_ago: float) -> None:
        """See `HostRows`."""

    def rows(self) -> Iterator[tuple[str, HostRow]]:
        """See `HostRows`."""
        names = [str(name) for (name,) in self._database.read("SELECT name FROM sites ORDER BY id")]
        return ((name, self.get(name)) for name in names)

    def restore(self, site: str, row: HostRow) -> None:
        """See `HostRows`."""
        self._put(site, row)

    def forget_requests(self) -> None:
        """Nothing is in flight any more: the process that asked has died."""
        self._database.write("UPDATE sites SET in_flight = 0 WHERE in_flight")
        self._rows.clear()

    def _put(self, site: str, row: HostRow) -> None:
        self.id_of(site)
        self._database.write(_UPDATE, (*astuple(row), site))
        self._keep(site, row)

    def _keep(self, site: str, row: HostRow) -> None:
        if len(self._rows) >= _REMEMBERED:
            self._rows.clear()
        self._rows[site] = row

    def _remember(self, site: str, site_id: int) -> None:
        if len(self._ids) >= _REMEMBERED:
            self._ids.clear()
            self._names.clear()
        self._ids[site] = site_id
        self._names[site_id] = site

    def _forget(self) -> None:
        self._rows.clear()
        self._ids.clear()
        self._names.clear()

"""The records of URLs in SQLite."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ragcrawler.frontier.states.records import (
    KeyTakenError,
    LeaseLostError,
    StoredRecord,
    UrlCounts,
    UrlRecord,
)
from ragcrawler.frontier.states.sqlite.database import StateDatabase
from ragcrawler.frontier.states.sqlite.hosts import SqliteHosts
from ragcrawler.frontier.states.sqlite.key_look_up import KeyLookUp
from ragcrawler.frontier.states.sqlite.leases import PARKED, Leases
from ragcrawler.frontier.states.sqlite.notes import SqliteNotes
from ragcrawler.frontier.states.sqlite.outcomes import (
    FETCHED,
    LEASED,
    QUEUED,
    SKIPPED_NOFOLLOW,
    Outcomes,
)
from ragcrawler.frontier.states.sqlite.parents import Parents
from ragcrawler.frontier.states.sqlite.queued_rows import QueuedRows
from ragcrawler.frontier.states.sqlite.recent_rows import COLUMNS, ID, KEY, SITE, STATE, TEXT, RecentRows
from ragcrawler.urls.identity import is_same_page

_OPEN = (QUEUED, LEASED)
_BY_KEY = f"SELECT {COLUMNS} FROM keys CROSS JOIN urls ON urls.id = keys.id WHERE keys.key = ?"  # noqa: S608
_SET_STATE = "UPDATE urls SET state = ?, attempts = attempts + ? WHERE id = ?"
RECENT = 16_384


class SqliteUrls:
    """One row a URL.

    Its number of bytes is what a crawl of millions of URLs costs: the host is a number, the parent another
    row, and the state a number that stands for an outcome.

    Args:
        database: of the state.
        hosts: know the numbers of the hosts.
        notes: of the state.
        recent: rows that wait for the indexes.

    Attributes:
        leases: of the records.
    """

    def __init__(
        self, database: StateDatabase, hosts: SqliteHosts, notes: SqliteNotes, recent: int = RECENT
    ) -> None:
        self._database = database
        self._hosts = hosts
        self._outcomes = Outcomes(database)
        self._keys = KeyLookUp(database)
        self._recent = RecentRows(database, self._keys, recent)
        self._queued = QueuedRows(database, self._recent)
        self._parents = Parents(self._page, self._url_of_row)
        self.leases = Leases(database, notes)
        self._load()
        database.when_rolled_back(self._load)

    def expect(self, keys: Sequence[int]) -> None:
        """See `UrlRecords`."""
        self._keys.prepare(self._recent.missing(keys))

    def is_new(self, key: int, url: str) -> bool:
        """See `UrlRecords`."""
        return self._known_state(key, url) in (None, SKIPPED_NOFOLLOW)

    def add(self, record: UrlRecord) -> bool:
        """See `UrlRecords`."""
        state = self._known_state(record.key, record.url)
        if state == SKIPPED_NOFOLLOW:
            self._delete_nofollow(record.key)
        elif state is not None:
            return False
        is_open = record.status == "open"
        self._insert(record, QUEUED if is_open else self._outcomes.number_of(record.status, record.reason))
        return True

    def add_nofollow(self, record: UrlRecord) -> bool:
        """See `UrlRecords`."""
        if self._find(record.key) is not None:
            return False
        self._insert(record, SKIPPED_NOFOLLOW)
        return True

    def decide(self, record: UrlRecord) -> bool:
        """See `UrlRecords`."""
        state = self._outcomes.number_of(record.status, record.reason)
        if leased := self.leases.get(record.key):
            row_id, _, number = leased
            if is_decided := self._may_decide(record, number):
                self._end_lease(row_id, record.key, state)
            return is_decided
        known = self._find(record.key)
        if not self._may_decide(record, self._lease_of(known)):
            return False
        if known is None:
            self._insert(record, state)
        elif known[STATE] in (*_OPEN, FETCHED):
            self._set_state(known, state)
        else:
            return False
        return True

    def get(self, key: int) -> UrlRecord | None:
        """See `UrlRecords`."""
        row = self._find(key)
        return None if row is None else replace(self._record(row), lease=self._lease_of(row))

    def counts(self) -> UrlCounts:
        """See `UrlRecords`."""
        return self._outcomes.added_up(self._counts)

    def close(self, reason: str) -> int:
        """See `UrlRecords`."""
        with self._database.transaction():
            state = self._outcomes.number_of("skipped", reason)
            self._write("UPDATE urls SET state = ? WHERE state IN (0, 1)", (state,))
            self.leases.end_all()
            self._queued.clear()
            self._recent.load()
        self._counts[state] += (closed := sum(self._counts.pop(each, 0) for each in _OPEN))
        return closed

    def lease(self, now: float, until: float, limit: int, sites: Iterable[str]) -> list[UrlRecord]:
        """See `UrlRecords`."""
        leased: list[UrlRecord] = []
        with self._database.transaction():
            self._end_leases(self.leases.ended(now))
            for site in sites:
                site_id = self._hosts.id_of(site)
                while len(leased) < limit and (row := self._queued.first(site_id)) is not None:
                    record, number = self._record(row), self._lease(row, until)
                    leased.append(replace(record, attempts=record.attempts + 1, lease=number))
        return leased

    def take(self, key: int, until: float) -> int:
        """See `UrlRecords`."""
        row = self._find(key)
        return 0 if row is None or row[STATE] != QUEUED else self._lease(row, until)

    def renew(self, key: int, until: float, lease: int) -> bool:
        """See `UrlRecords`."""
        row = self._find(key)
        return row is not None and self.leases.renew(row[ID], until, lease)

    def park(self, key: int, lease: int = 0) -> bool:
        """See `UrlRecords`."""
        row = self._find(key)
        if row is None or row[STATE] not in _OPEN or self._lease_of(row) != lease:
            return False
        self._begin(row, PARKED, attempts=0)
        return True

    def unpark(self, key: int) -> int:
        """See `UrlRecords`."""
        row = self._find(key)
        if row is None or self.leases.of_row(row[ID]) != (PARKED, 0):
            return 0
        return self._lease(row, PARKED)

    def release(self, key: int, lease: int) -> None:
        """See `UrlRecords`."""
        row = self._find(key)
        if row is not None and row[STATE] == LEASED and self._lease_of(row) == lease:
            self._set_state(row, QUEUED)

    def check(self, key: int, lease: int) -> None:
        """Look whether a record still has a lease.

        Raises:
            LeaseLostError: it has another one, or none.
        """
        if self._lease_of(self._find(key)) != lease:
            raise LeaseLostError(str(key))

    def reclaim(self) -> int:
        """See `UrlRecords`."""
        self._recent.write()
        self.leases.end_of_parked()
        return len(self._end_leases(self.leases.not_parked()))

    def sites(self) -> Iterator[str]:
        """See `UrlRecords`."""
        return map(self._hosts.name_of, self._queued.sites())

    def queued(self) -> int:
        """See `UrlRecords`."""
        return self._counts[QUEUED]

    def records(self) -> Iterator[StoredRecord]:
        """See `UrlRecords`."""
        self._recent.write()
        query = (
            f"SELECT {COLUMNS}, (SELECT until FROM leases WHERE leases.id = urls.id)"  # noqa: S608
            " FROM urls ORDER BY id"
        )
        for row in self._database.read(query):
            yield StoredRecord(self._record(row[:-1]), row[-1] == PARKED)

    def restore(self, stored: StoredRecord) -> None:
        """See `UrlRecords`."""
        record = stored.record
        self._insert(record, self._outcomes.number_of(record.status, record.reason))
        if stored.is_parked:
            self.park(record.key)

    def _known_state(self, key: int, url: str) -> int | None:
        row = self._recent.get(key)
        known = self._keys.get(key) if row is None else (row[STATE], row[SITE], row[TEXT])
        if known is None:
            return None
        state, site_id, text = known
        # Of a decided record that came by a dump the URL may not be known.
        if text and not is_same_page(self._full_url(site_id, text), url):
            raise KeyTakenError(url)
        return state

    def _find(self, key: int) -> Any:
        row = self._recent.get(key)
        return self._database.read(_BY_KEY, (key,)).fetchone() if row is None else row

    def _insert(self, record: UrlRecord, state: int) -> None:
        url, site = record.url, record.site
        if url.startswith(f"https://{site}/"):
            url = url[len("https://") + len(site) :]
        site_id, parent = self._hosts.id_of(site), self._parents.stored(record.parent_url)
        place = [0, record.key, site_id, state, record.priority, record.depth]
        self._recent.put([*place, parent, record.is_named, record.attempts, url])
        self._counts[state] += 1

    def _delete_nofollow(self, key: int) -> None:
        self._recent.write()
        self._write("DELETE FROM urls WHERE id = ?", (self._find(key)[ID],))
        self._write("DELETE FROM keys WHERE key = ?", (key,))
        self._recent.discard(key)
        self._parents.forget()
        self._counts[SKIPPED_NOFOLLOW] -= 1

    def _page(self, key: int) -> tuple[int, str]:
        """The row id and URL of a page, which is leased while its links are entered."""
        if leased := self.leases.get(key):
            return leased[:2]
        row = self._find(key)
        return (0, "") if row is None else (row[ID], self._full_url(row[SITE], row[TEXT]))

    def _url_of_row(self, row_id: int) -> str:
        row = self._database.read("SELECT site, url FROM urls WHERE id = ?", (row_id,)).fetchone()
        return self._full_url(*row) if row else ""

    def _full_url(self, site_id: int, text: str) -> str:
        return f"https://{self._hosts.name_of(site_id)}{text}" if text.startswith("/") else text

    def _record(self, row: tuple[Any, ...]) -> UrlRecord:
        _, key, site_id, state, priority, depth, parent, is_named, attempts, text = row
        status, reason = self._outcomes[state]
        url, site, parent_url = (
            self._full_url(site_id, text),
            self._hosts.name_of(site_id),
            self._parents.url_of(parent),
        )
        found = UrlRecord(key, url, site, depth, parent_url, priority, bool(is_named), attempts)
        return replace(found, status=status, reason=reason)

    def _lease(self, row: Any, until: float) -> int:
        number = self.leases.next_number()
        self._begin(row, until, 1, number)
        return number

    def _begin(self, row: Any, until: float, attempts: int, number: int = 0) -> None:
        self._set_state(row, LEASED, attempts)
        self.leases.begin(row[ID], until, row[KEY], self._full_url(row[SITE], row[TEXT]), number)

    def _lease_of(self, row: Any) -> int:
        """The number of the lease of a row, 0 where it has none."""
        leased = None if row is None or row[STATE] != LEASED else self.leases.of_row(row[ID])
        return leased[1] if leased else 0

    def _may_decide(self, record: UrlRecord, number: int) -> bool:
        """Whether a decision comes from who has the lease, or from anybody where nobody has."""
        if record.lease and record.lease != number:
            raise LeaseLostError(record.url)
        return record.lease == number

    def _end_leases(self, ended: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
        for _, key in ended:
            self._set_state(self._find(key), QUEUED)
        return ended

    def _set_state(self, row: Any, state: int, attempts: int = 0) -> None:
        before, is_written = row[STATE], True
        if self._recent.get(row[KEY]) is not None:
            is_written = self._recent.change(row, state, attempts)
        elif before == QUEUED:
            self._queued.remove(row)
        elif state == QUEUED:
            self._queued.put(row)
        if is_written:
            self._write(_SET_STATE, (state, attempts, row[ID]))
        if before == LEASED:
            self.leases.end(row[ID], row[KEY])
        self._counts[before] -= 1
        self._counts[state] += 1

    def _end_lease(self, row_id: int, key: int, state: int) -> None:
        """Decide a leased row, of which no more need be read."""
        row = self._recent.get(key)
        if row is not None:
            self._set_state(row, state)
            return
        self._write(_SET_STATE, (state, 0, row_id))
        self.leases.end(row_id, key)
        self._counts[LEASED] -= 1
        self._counts[state] += 1

    def _write(self, statement: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        self._keys.forget()
        return self._database.write(statement, values)

    def _load(self) -> None:
        """Read what is kept in memory: how many URLs have each outcome."""
        self._recent.load()
        self._keys.forget()
        self._parents.forget()
        self.leases.load()
        self._outcomes.load()
        counts = self._database.read("SELECT state, count(*) FROM urls GROUP BY state").fetchall()
        self._counts: Counter[int] = Counter(dict(counts))

"""The records of URLs in SQLite."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ragcrawler.frontier.states.records import (
    PARKED,
    KeyTakenError,
    Status,
    StoredRecord,
    UrlCounts,
    UrlRecord,
)
from ragcrawler.frontier.states.sqlite.database import StateDatabase
from ragcrawler.frontier.states.sqlite.hosts import SqliteHosts
from ragcrawler.frontier.states.sqlite.key_look_up import KeyLookUp, StoredUrl
from ragcrawler.frontier.states.sqlite.leases import Leases
from ragcrawler.frontier.states.sqlite.new_rows import SITE, STATE, TEXT, NewRows
from ragcrawler.frontier.states.sqlite.outcomes import (
    FETCHED,
    LEASED,
    QUEUED,
    SKIPPED_NOFOLLOW,
    Outcomes,
)
from ragcrawler.frontier.states.sqlite.parents import Parents
from ragcrawler.urls.identity import is_same_page

_OPEN = (QUEUED, LEASED)
_COLUMNS = "id, key, site, state, priority, depth, parent, is_named, attempts, url"
_BY_KEY = f"SELECT {_COLUMNS} FROM urls WHERE key = ?"  # noqa: S608 - names of our own, here and below
_QUEUED_OF = (
    f"SELECT {_COLUMNS} FROM urls INDEXED BY urls_queued WHERE state = 0 AND site = ?"  # noqa: S608
    " ORDER BY priority DESC, id LIMIT ?"
)


class SqliteUrls:
    """One row a URL.

    Its number of bytes is what a crawl of millions of URLs costs: the host is a number, the parent another
    row, and the state a number that stands for an outcome.

    Args:
        database: of the state.
        hosts: know the numbers of the hosts.

    Attributes:
        leases: of the records.
    """

    def __init__(self, database: StateDatabase, hosts: SqliteHosts) -> None:
        self._database = database
        self._hosts = hosts
        self._outcomes = Outcomes(database)
        self._keys = KeyLookUp(database)
        self._new = NewRows(database, self._keys)
        self._parents = Parents(self._page, self._url_of_row)
        self.leases = Leases(database)
        self._load()
        database.when_rolled_back(self._load)

    def expect(self, keys: Sequence[int]) -> None:
        """See `UrlRecords`."""
        self._keys.prepare(keys)

    def add(self, record: UrlRecord) -> bool:
        """See `UrlRecords`."""
        known = self._look_up(record.key)
        if known is not None:
            state, site_id, text = known
            if not is_same_page(self._full_url(site_id, text), record.url):
                raise KeyTakenError(record.url)
            if state != SKIPPED_NOFOLLOW:
                return False
            self._new.write()
            self._write("DELETE FROM urls WHERE key = ?", (record.key,))
            self._parents.forget()
            self._counts[SKIPPED_NOFOLLOW] -= 1
        self._insert(record, QUEUED)
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
            self._move(leased[0], LEASED, state, record.key)
            return True
        new = self._new.get(record.key)
        if new is not None and new[STATE] in (*_OPEN, FETCHED):
            self._counts[new[STATE]] -= 1
            self._counts[state] += 1
            new[STATE] = state
            return True
        known = self._find(record.key)
        if known is None:
            self._insert(record, state)
        elif known[3] in (*_OPEN, FETCHED):
            self._move(known[0], known[3], state, record.key)
        else:
            return False
        return True

    def get(self, key: int) -> UrlRecord | None:
        """See `UrlRecords`."""
        row = self._find(key)
        return None if row is None else self._record(row)

    def counts(self) -> UrlCounts:
        """See `UrlRecords`."""
        by_reason: dict[Status, dict[str, int]] = {"skipped": {}, "failed": {}}
        for state, count in self._counts.items():
            status, reason = self._outcomes[state]
            if count and status in by_reason:
                by_reason[status][reason] = count
        still_open = sum(self._counts[state] for state in _OPEN)
        seen = sum(self._counts.values())
        return UrlCounts(seen, still_open, self._counts[FETCHED], by_reason["skipped"], by_reason["failed"])

    def close(self, reason: str) -> int:
        """See `UrlRecords`."""
        with self._database.transaction():
            state = self._outcomes.number_of("skipped", reason)
            self._new.write()
            self._write("UPDATE urls SET state = ? WHERE state IN (0, 1)", (state,))
            self.leases.end_all()
        self._counts[state] += (closed := sum(self._counts.pop(each, 0) for each in _OPEN))
        return closed

    def lease(self, now: float, until: float, limit: int, sites: Iterable[str]) -> list[UrlRecord]:
        """See `UrlRecords`."""
        leased: list[UrlRecord] = []
        with self._database.transaction():
            self._new.write()
            self._end_leases(self.leases.ended(now))
            for site in sites:
                for row in self._queued_of(site, limit - len(leased)):
                    leased.append(self._record((*row[:8], row[8] + 1, row[9])))
                    self._lease(row[0], until, leased[-1])
        return leased

    def take(self, key: int, until: float) -> bool:
        """See `UrlRecords`."""
        row = self._find(key)
        if row is None or row[3] != QUEUED:
            return False
        self._lease(row[0], until, self._record(row))
        return True

    def renew(self, key: int, until: float) -> bool:
        """See `UrlRecords`."""
        self._new.write()
        return self.leases.renew(key, until)

    def release(self, key: int) -> None:
        """See `UrlRecords`."""
        row = self._find(key)
        if row is not None and row[3] == LEASED:
            self._move(row[0], LEASED, QUEUED, key)

    def reclaim(self) -> int:
        """See `UrlRecords`."""
        self._new.write()
        return len(self._end_leases(self.leases.not_parked()))

    def sites(self) -> Iterator[str]:
        """See `UrlRecords`."""
        self._new.write()
        # One step of the index for each host: with DISTINCT it would be one for each URL.
        query = "SELECT min(site) FROM urls INDEXED BY urls_queued WHERE state = 0 AND site > ?"
        site = -1
        while (found := self._database.read(query, (site,)).fetchone()[0]) is not None:
            site = int(found)
            yield self._hosts.name_of(site)

    def queued(self) -> int:
        """See `UrlRecords`."""
        return self._counts[QUEUED]

    def records(self) -> Iterator[StoredRecord]:
        """See `UrlRecords`."""
        self._new.write()
        query = (
            f"SELECT {_COLUMNS}, (SELECT until FROM leases WHERE leases.id = urls.id)"  # noqa: S608
            " FROM urls ORDER BY id"
        )
        for row in self._database.read(query):
            yield StoredRecord(self._record(row[:-1]), row[-1] == PARKED)

    def restore(self, stored: StoredRecord) -> None:
        """See `UrlRecords`."""
        record = stored.record
        is_open = record.status == "open"
        self._insert(record, QUEUED if is_open else self._outcomes.number_of(record.status, record.reason))
        if stored.is_parked:
            self._new.write()
            (row_id,) = self._database.read("SELECT last_insert_rowid()").fetchone()
            self._lease(row_id, PARKED, record, attempts=0)

    def _look_up(self, key: int) -> StoredUrl | None:
        """The record with a key, which may be among the new ones."""
        new = self._new.get(key)
        return self._keys.get(key) if new is None else (new[STATE], new[SITE], new[TEXT])

    def _find(self, key: int) -> tuple[Any, ...] | None:
        self._new.write()
        found: tuple[Any, ...] | None = self._database.read(_BY_KEY, (key,)).fetchone()
        return found

    def _queued_of(self, site: str, limit: int) -> list[tuple[Any, ...]]:
        if limit <= 0:
            return []
        return self._database.read(_QUEUED_OF, (self._hosts.id_of(site), limit)).fetchall()

    def _insert(self, record: UrlRecord, state: int) -> None:
        url, site = record.url, record.site
        if url.startswith(f"https://{site}/"):
            url = url[len("https://") + len(site) :]
        self._new.put(
            [
                record.key,
                self._hosts.id_of(site),
                state,
                record.priority,
                record.depth,
                self._parents.stored(record.parent_url),
                record.is_named,
                record.attempts,
                url,
            ]
        )
        self._counts[state] += 1

    def _page(self, key: int) -> tuple[int, str]:
        """The row id and URL of a page, which is leased while its links are entered."""
        if leased := self.leases.get(key):
            return leased
        row = self._find(key)
        return (0, "") if row is None else (row[0], self._full_url(row[2], row[9]))

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
        return UrlRecord(
            key, url, site, depth, parent_url, priority, bool(is_named), attempts, status, reason
        )

    def _lease(self, row_id: int, until: float, record: UrlRecord, attempts: int = 1) -> None:
        query = "UPDATE urls SET state = ?, attempts = attempts + ? WHERE id = ?"
        self._write(query, (LEASED, attempts, row_id))
        self.leases.begin(row_id, until, record.key, record.url)
        self._counts[QUEUED] -= 1
        self._counts[LEASED] += 1

    def _end_leases(self, ended: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
        for row_id, key in ended:
            self._move(row_id, LEASED, QUEUED, key)
        return ended

    def _move(self, row_id: int, before: int, after: int, key: int) -> None:
        self._write("UPDATE urls SET state = ? WHERE id = ?", (after, row_id))
        if before == LEASED:
            self.leases.end(row_id, key)
        self._counts[before] -= 1
        self._counts[after] += 1

    def _write(self, statement: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        self._keys.forget()
        return self._database.write(statement, values)

    def _load(self) -> None:
        """Read what is kept in memory: how many URLs have each outcome."""
        self._new.forget()
        self._keys.forget()
        self._parents.forget()
        self.leases.load()
        self._outcomes.load()
        counts = self._database.read("SELECT state, count(*) FROM urls GROUP BY state").fetchall()
        self._counts: Counter[int] = Counter(dict(counts))

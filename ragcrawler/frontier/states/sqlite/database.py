"""The connection to the file of a state, and its transactions."""

import sqlite3
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ragcrawler.frontier.states.sqlite.errors import FrontierStateError, state_error, state_errors

_APPLICATION = 0x52414746  # "RAGF": tells the file from other SQLite files
VERSION = 3
_CACHE_KIBIBYTES = 64 * 1024
_BUSY_SECONDS = 5.0
# Two thirds of what a page costs here is its commit: those of pages that end together are one.
_COMMIT_SECONDS = 0.05
# A checkpoint writes a page of the file once, however often it changed since the last one: 32 MiB of log.
_CHECKPOINT_PAGES = 8000
# `parent` is the row id of another record, or a text where it is none: a sitemap, a search result. `url`
# stands without "https://SITE" where it begins so. What `state` means is in outcomes.py. `keys` and `queue`
# are tables and no indexes, for they end with the row whose id is in `indexed` (see recent_rows.py).
_SCHEMA = """
    CREATE TABLE urls (
        id INTEGER PRIMARY KEY, key INTEGER NOT NULL, site INTEGER NOT NULL, state INTEGER NOT NULL,
        priority INTEGER NOT NULL, depth INTEGER NOT NULL, parent, is_named INTEGER NOT NULL,
        attempts INTEGER NOT NULL, url TEXT NOT NULL
    );
    CREATE TABLE keys (key INTEGER PRIMARY KEY, id INTEGER NOT NULL);
    CREATE TABLE queue (
        site INTEGER NOT NULL, rank INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (site, rank, id)
    ) WITHOUT ROWID;
    CREATE TABLE indexed (id INTEGER NOT NULL);
    INSERT INTO indexed VALUES (0);
    CREATE TABLE outcomes (state INTEGER PRIMARY KEY, status TEXT NOT NULL, reason TEXT NOT NULL);
    CREATE TABLE leases (id INTEGER PRIMARY KEY, until REAL NOT NULL, number INTEGER NOT NULL);
    CREATE INDEX leases_by_end ON leases (until);
    CREATE TABLE sites (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, next_at REAL NOT NULL DEFAULT 0,
        delay_seconds REAL NOT NULL DEFAULT 0, held_until REAL NOT NULL DEFAULT 0,
        is_given_up INTEGER NOT NULL DEFAULT 0, in_flight INTEGER NOT NULL DEFAULT 0,
        failures INTEGER NOT NULL DEFAULT 0, pauses INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE kinds (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE counters (
        kind INTEGER NOT NULL, key INTEGER NOT NULL, value INTEGER NOT NULL, PRIMARY KEY (kind, key)
    ) WITHOUT ROWID;
    CREATE TABLE members (
        kind INTEGER NOT NULL, key INTEGER NOT NULL, member INTEGER NOT NULL, PRIMARY KEY (kind, key, member)
    ) WITHOUT ROWID;
    CREATE TABLE set_sizes (
        kind INTEGER NOT NULL, key INTEGER NOT NULL, size INTEGER NOT NULL, PRIMARY KEY (kind, key)
    ) WITHOUT ROWID;
    CREATE TABLE texts (
        kind INTEGER NOT NULL, key INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (kind, key)
    ) WITHOUT ROWID;
"""
# What a crawl of the version before has left.
_WITHOUT_NUMBERS = 2
_ADD_NUMBERS = f"""
    BEGIN IMMEDIATE; ALTER TABLE leases ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
    PRAGMA user_version = {VERSION}; COMMIT;
"""


class StateDatabase:
    """One connection. What it has written and not committed it sees itself, and a kill takes back.

    A write outside of a transaction waits for the next commit: these are counts that a break may lose. With
    the write-ahead log a killed process loses nothing that was committed. What follows a commit within a
    twentieth of a second is committed with what comes after that, so that a kill may take back the last
    transactions, whole ones; `synchronous = NORMAL` lets a power cut do so. Those pages are fetched again.
    The first error does the same, and ends the connection: SQLite may have ended the transaction by itself,
    and what was written after that would be half of something.

    Args:
        path: None for a database in memory.
        clock: seconds that only grow.

    Raises:
        FrontierStateError: the file cannot be made, is damaged, another program's or of another version.
    """

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._clock = clock
        self._committed_at = float("-inf")
        self._before_saving: list[Callable[[], None]] = []
        self._before_commit: list[Callable[[], None]] = []
        self._depth = 0
        self._is_closed = False
        self._loss = ""
        self._on_rollback: list[Callable[[], None]] = []
        with state_errors(path):
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                path or ":memory:",
                timeout=_BUSY_SECONDS,
                isolation_level=None,
                cached_statements=256,
                check_same_thread=False,  # the store's thread reads what became of a URL
            )
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise
        if path is None:
            weakref.finalize(self, self._connection.close)

    def when_rolled_back(self, listener: Callable[[], None]) -> None:
        """Call it after writes were taken back: what was derived from them is wrong."""
        self._on_rollback.append(listener)

    def when_saving(self, listener: Callable[[], None]) -> None:
        """Call it before a transaction begins or ends: what it held back has to be written."""
        self._before_saving.append(listener)

    def when_committing(self, listener: Callable[[], None]) -> None:
        """Call it before a commit, outside of a transaction of the caller's: it may write."""
        self._before_commit.append(listener)

    def read(self, query: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run a query."""
        try:  # a context manager would cost as much as the query
            return self._connection.execute(query, values)
        except sqlite3.Error as error:
            raise self._lost(error) from error

    def write(self, statement: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Change something, at the latest with the next transaction durably."""
        self.begin()
        try:
            return self._connection.execute(statement, values)
        except sqlite3.Error as error:
            raise self._lost(error) from error

    def write_many(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        """Do the same for each row."""
        self.begin()
        try:
            self._connection.executemany(statement, rows)
        except sqlite3.Error as error:
            raise self._lost(error) from error

    def begin(self) -> None:
        """Keep others from writing until the next commit, where this was not done yet."""
        try:
            if not self._connection.in_transaction:
                self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise self._lost(error) from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit what is written within, all of it or nothing; a transaction within another is part of it."""
        if self._depth == 0:
            self._save()
            self.write("SAVEPOINT effect")
        self._depth += 1
        try:
            yield
            if self._depth == 1:
                self._save()
                self.write("RELEASE effect")
        except BaseException:
            self._depth -= 1
            if self._depth == 0:
                self._roll_back()
            raise
        self._depth -= 1
        if self._depth == 0 and self._clock() >= self._committed_at + _COMMIT_SECONDS:
            self.commit()

    def commit(self) -> None:
        """Make durable what was written, unless a transaction is under way."""
        if self._depth == 0 and not self._loss and self._connection.in_transaction:
            for listener in (*self._before_saving, *self._before_commit):
                listener()
            try:
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                raise self._lost(error) from error
            self._committed_at = self._clock()

    def close(self) -> None:
        """Commit and close; calling it twice is fine."""
        if self._is_closed:
            return
        self._is_closed = True
        try:
            self.commit()
        finally:
            self._connection.close()

    def _save(self) -> None:
        for listener in self._before_saving:
            listener()

    def _lost(self, error: sqlite3.Error) -> FrontierStateError:
        """End the connection at its first error; what is asked of it later fails for the same reason."""
        if not self._loss:
            self._loss = str(state_error(self._path, error))
            self._connection.close()
        return FrontierStateError(self._loss)

    def _roll_back(self) -> None:
        if self._loss:
            return
        try:
            self._connection.execute("ROLLBACK TO effect")
            self._connection.execute("RELEASE effect")
        except sqlite3.Error as error:
            raise self._lost(error) from error
        for listener in self._on_rollback:
            listener()

    def _prepare(self) -> None:
        database = self._connection
        database.execute(f"PRAGMA cache_size = -{_CACHE_KIBIBYTES}")
        database.execute("PRAGMA temp_store = MEMORY")
        application, version = self._number("application_id"), self._number("user_version")
        if application != _APPLICATION and (application or self._number("schema_version")):
            raise FrontierStateError(f"{self._path} is a database of another program: move it away")
        if version == _WITHOUT_NUMBERS:
            database.executescript(_ADD_NUMBERS)
        elif version not in {0, VERSION}:
            raise FrontierStateError(
                f"{self._path} was written by another version of ragcrawler (state {version}, this one reads "
                f"{VERSION}): go on with that version, or begin anew with -s RESUME=0"
            )
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
        if not version:
            database.executescript(
                f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA application_id = {_APPLICATION}; "
                f"PRAGMA user_version = {VERSION}; COMMIT;"
            )

    def _number(self, pragma: str) -> int:
        return int(self._connection.execute(f"PRAGMA {pragma}").fetchone()[0])

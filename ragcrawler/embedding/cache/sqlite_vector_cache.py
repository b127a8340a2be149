"""Vectors that were made before, in one file: the same text costs its model once."""

import logging
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

_logger = logging.getLogger(__name__)

_SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS vector (
    key BLOB PRIMARY KEY, hour INTEGER NOT NULL, checksum INTEGER NOT NULL, content BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS vector_by_hour ON vector (hour);
"""
_KEPT_SHARE = 0.9  # of the bound, after an eviction
_BUSY_SECONDS = 5.0
_BUSY_PAUSE_SECONDS = 0.01
_SECONDS_AN_HOUR = 3600
_EVICTED_AT_ONCE = 500


class SqliteVectorCache:
    """An SQLite file that several processes may use at once, and any thread.

    What was not used for the longest time, counted in hours, goes first when the file grows over its bound.
    Every entry carries a checksum: what does not match is taken for missing. A file that is no database any
    more is set aside and begun anew.

    Args:
        path: of the file; its folder is made.
        max_bytes: bound of what the entries take.
        now: seconds since the epoch.

    Raises:
        OSError: there can be no such file.
    """

    def __init__(self, path: Path, max_bytes: int, now: Callable[[], float] = time.time) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._now = now
        self._lock = threading.Lock()
        self.damaged = 0
        self.failures = 0
        self._is_open = True
        path.parent.mkdir(parents=True, exist_ok=True)
        self._database = _open(path)

    def find(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """The content of those keys that are there and whole."""
        found: dict[bytes, bytes] = {}
        with self._lock:
            if not self._is_open:
                return found
            try:
                self._find(keys, found)
            except sqlite3.Error as error:
                self._note_failure(error)
        return found

    def keep(self, entries: Mapping[bytes, bytes]) -> None:
        """Remember the content of some keys, in one transaction."""
        hour = self._hour()
        rows = [(key, hour, _checksum(key, content), content) for key, content in entries.items()]
        with self._lock:
            if not self._is_open:
                return
            try:
                with self._database:
                    self._database.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?, ?, ?)", rows)
                    self._evict()
            except sqlite3.Error as error:
                self._note_failure(error)

    def forget(self, keys: Sequence[bytes]) -> int:
        """Forget these keys, so that nothing of their content is left; how many there were.

        Raises:
            OSError: the file cannot be written.
        """
        with self._lock:
            try:
                self._database.execute("PRAGMA secure_delete = ON")
                with self._database:
                    gone = self._database.executemany(
                        "DELETE FROM vector WHERE key = ?", [(key,) for key in keys]
                    )
                self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.Error as error:
                raise OSError(0, str(error), str(self._path)) from error
        return gone.rowcount

    def close(self) -> None:
        """Let go of the file; a run that ends later finds nothing and keeps nothing."""
        with self._lock:
            self._is_open = False
            self._database.close()

    def _find(self, keys: Sequence[bytes], found: dict[bytes, bytes]) -> None:
        hour, old, damaged = self._hour(), [], []
        for key in keys:
            row = self._database.execute(
                "SELECT hour, checksum, content FROM vector WHERE key = ?", (key,)
            ).fetchone()
            if row is None:
                continue
            if not isinstance(row[2], bytes) or row[1] != _checksum(key, row[2]):
                damaged.append((key,))
                continue
            found[key] = row[2]
            if row[0] != hour:
                old.append((hour, key))
        self.damaged += len(damaged)
        if old or damaged:
            with self._database:
                self._database.executemany("UPDATE vector SET hour = ? WHERE key = ?", old)
                self._database.executemany("DELETE FROM vector WHERE key = ?", damaged)

    def _evict(self) -> None:
        if self._used_bytes() <= self._max_bytes:
            return
        while self._used_bytes() > self._max_bytes * _KEPT_SHARE:
            oldest = "SELECT rowid FROM vector ORDER BY hour, rowid LIMIT ?"
            gone = self._database.execute(
                f"DELETE FROM vector WHERE rowid IN ({oldest})",  # noqa: S608 - both parts stand here
                (_EVICTED_AT_ONCE,),
            )
            if not gone.rowcount:
                return

    def _used_bytes(self) -> int:
        pages, free, size = (
            int(self._database.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("page_count", "freelist_count", "page_size")
        )
        return (pages - free) * size

    def _hour(self) -> int:
        return int(self._now() // _SECONDS_AN_HOUR)

    def _note_failure(self, error: sqlite3.Error) -> None:
        self.failures += 1
        if self.failures == 1:
            _logger.warning("The embedding cache %s fails (%s): its texts are embedded", self._path, error)


def _open(path: Path) -> sqlite3.Connection:
    try:
        return _connect(path)
    except sqlite3.OperationalError as error:  # locked for long, or no right to write: not for us to mend
        raise OSError(0, str(error), str(path)) from error
    except sqlite3.DatabaseError as error:
        aside = path.with_name(f"{path.name}.damaged")
        _logger.warning("The embedding cache %s is damaged (%s): kept as %s, begun anew", path, error, aside)
        path.replace(aside)
        for leftover in ("-wal", "-shm"):
            path.with_name(path.name + leftover).unlink(missing_ok=True)
        return _connect(path)


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=_BUSY_SECONDS, check_same_thread=False)
    try:
        with closing(database.cursor()) as cursor:
            _log_ahead(cursor)
            cursor.execute("PRAGMA synchronous = NORMAL")
            if cursor.execute("PRAGMA user_version").fetchone()[0] not in (0, _SCHEMA_VERSION):
                cursor.execute("DROP TABLE IF EXISTS vector")  # a cache has no old versions worth reading
            cursor.executescript(_SCHEMA)
            cursor.execute(f"PRAGMA user_version = {_SCHEMA_VERSION}")
    except BaseException:
        database.close()
        raise
    return database


def _log_ahead(cursor: sqlite3.Cursor) -> None:
    """Switch to write-ahead logging; of two processes that do so with a new file, one is refused unwaited."""
    deadline = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_BUSY_PAUSE_SECONDS)
        else:
            return


def _checksum(key: bytes, content: bytes) -> int:
    return zlib.crc32(content, zlib.crc32(key))

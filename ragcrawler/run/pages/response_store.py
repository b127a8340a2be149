"""Responses of earlier crawls, in one SQLite file."""

import logging
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

logger = logging.getLogger(__name__)

_SCHEMA = """
CREATE TABLE IF NOT EXISTS responses (
    key BLOB PRIMARY KEY, used REAL NOT NULL, headers BLOB NOT NULL, body BLOB NOT NULL
)
"""
_PAGE = "ALTER TABLE responses ADD COLUMN page TEXT NOT NULL DEFAULT ''"
_BY_AGE = "CREATE INDEX IF NOT EXISTS by_age ON responses (used)"
_WAIT_SECONDS = 1.0
# A web page is written in a few of these; with SQLite's 4 KiB it takes a third more time.
_PAGE_BYTES = 16_384


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """A stored response.

    Attributes:
        headers: as they were sent, lines of bytes.
        body: as it was sent, compressed where the server did that.
        page: URL of the page that asked for it; "" where an earlier release stored it.
    """

    headers: bytes
    body: bytes
    page: str = ""


class ResponseStore:
    """Responses by a key of bytes.

    The file is a cache: one that cannot be read is begun anew.

    Args:
        path: of the file; its folder is made.
        clock: seconds since 1970.

    Raises:
        sqlite3.Error: the file can neither be opened nor be begun anew; also by all methods, when it is full,
            say, or another process holds it.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._file = _open(path)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise  # held by another process, or out of room: not broken
            logger.warning("%s cannot be read (%s): it is begun anew", path, error)
            for part in path.parent.glob(f"{path.name}*"):
                part.unlink()
            self._file = _open(path)

    def get(self, key: bytes) -> StoredResponse | None:
        query = "SELECT headers, body, page FROM responses WHERE key = ?"
        row = self._file.execute(query, (key,)).fetchone()
        return None if row is None else StoredResponse(*row)

    def put(self, key: bytes, response: StoredResponse) -> None:
        """Store a response in place of the last."""
        row = (key, self._clock(), response.headers, response.body, response.page)
        self._file.execute("INSERT OR REPLACE INTO responses VALUES (?, ?, ?, ?, ?)", row)

    def refresh(self, key: bytes, headers: bytes, page: str) -> None:
        """The response is still that of its page: keep it longer, with new headers."""
        self._file.execute(
            "UPDATE responses SET used = ?, headers = ?, page = ? WHERE key = ?",
            (self._clock(), headers, page, key),
        )

    def remove(self, is_unwanted: Callable[[str], bool], *, is_dry: bool = False) -> int:
        """Delete the responses of unwanted pages, or only look; how many there are.

        Those of which nobody knows the page, for an earlier release stored them, go with the others.

        Args:
            is_unwanted: says so of the URL of a page.
            is_dry: change nothing.
        """
        rows = self._file.execute("SELECT key, page FROM responses").fetchall()
        unwanted = [(key,) for key, page in rows if not page or is_unwanted(page)]
        if unwanted and not is_dry:
            self._file.executemany("DELETE FROM responses WHERE key = ?", unwanted)
        return len(unwanted)

    def prune(self, *, max_bytes: int, max_age_seconds: float) -> int:
        """Delete what was not used for long, and more of the oldest while the rest is too large; how many."""
        before = self._file.total_changes
        if max_age_seconds:
            self._file.execute("DELETE FROM responses WHERE used < ?", (self._clock() - max_age_seconds,))
        query = "SELECT key, length(headers) + length(body) FROM responses ORDER BY used DESC"
        total = 0
        too_many: list[tuple[bytes]] = []
        for key, size in self._file.execute(query):
            total += size
            if total > max_bytes:
                too_many.append((key,))
        self._file.executemany("DELETE FROM responses WHERE key = ?", too_many)
        return self._file.total_changes - before

    def close(self) -> None:
        self._file.close()


def _open(path: Path) -> sqlite3.Connection:
    file = sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)
    try:
        file.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        # With a write-ahead log a process that is killed loses nothing, and a write waits for no disk.
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("PRAGMA synchronous = NORMAL")
        file.execute(_SCHEMA)
        file.execute(_BY_AGE)
        if "page" not in {name for _, name, *_ in file.execute("PRAGMA table_info(responses)")}:
            file.execute(_PAGE)
    except sqlite3.Error:
        file.close()
        raise
    return file

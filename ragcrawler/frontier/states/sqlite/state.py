"""The state of a crawl in SQLite."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ragcrawler.frontier.states.records import CRASHES
from ragcrawler.frontier.states.side_queue import NotedSideQueue, OneProcess
from ragcrawler.frontier.states.sqlite.database import StateDatabase
from ragcrawler.frontier.states.sqlite.hosts import SqliteHosts
from ragcrawler.frontier.states.sqlite.notes import SqliteNotes
from ragcrawler.frontier.states.sqlite.urls import RECENT, SqliteUrls


class SqliteState(OneProcess):
    """The state of one process at a time; in a file it outlives the process.

    Args:
        path: of the file, made where it is not there; None for a state in memory, which ends with the object.
        recent: rows of URLs that are in memory until the indexes get them together.

    Raises:
        FrontierStateError: the file cannot be used; says why and what to do.
    """

    def __init__(self, path: Path | None = None, recent: int = RECENT) -> None:
        self._database = StateDatabase(path)
        self.hosts = SqliteHosts(self._database)
        self.notes = SqliteNotes(self._database)
        self.side_queue = NotedSideQueue(self.notes)
        self.urls = SqliteUrls(self._database, self.hosts, self.notes, recent)

    def is_over(self) -> bool:
        """See `FrontierState`."""
        return not (self.urls.queued() or self.side_queue.queued())

    @contextmanager
    def transaction(self, key: int = 0, lease: int = 0) -> Iterator[None]:
        """See `FrontierState`."""
        with self._database.transaction():
            if lease:
                self.urls.check(key, lease)
            yield

    def reclaim(self) -> int:
        """Take over from a process that died: its leases end, and nothing is in flight; how many leases."""
        with self.transaction():
            self.hosts.forget_requests()
            for _, key in self.urls.leases.not_parked():
                self.notes.count(CRASHES, key)
            return self.urls.reclaim()

    def release_own(self) -> None:
        """See `FrontierState`."""
        with self.transaction():
            self.urls.reclaim()

    def close(self) -> None:
        """See `FrontierState`; calling it twice is fine."""
        self._database.close()

"""The place of an embedded collection: the folder behind its name, and the lock that makes it ours."""

from pathlib import Path

from ragcrawler.stores.disk.read_only import is_read_only
from ragcrawler.stores.qdrant_embedded.alias_files import collection_folder, resolve_folder
from ragcrawler.stores.qdrant_embedded.folder_lock import FolderLock, lock_file


class EmbeddedLocation:
    """Where a name leads, and whether this process owns what is there."""

    def __init__(self, folder: Path, name: str) -> None:
        """Look where the name leads.

        Raises:
            StoreError: the name cannot be a folder's, or means a collection that is gone.
        """
        self._folder = folder
        self._name = name
        self._lock: FolderLock | None = None
        self.path = resolve_folder(folder, name)

    @property
    def location(self) -> str:
        """The collection under its name, for messages."""
        return str(collection_folder(self._folder, self._name))

    @property
    def is_locked(self) -> bool:
        """Whether other processes are kept out."""
        return self._lock is not None

    @property
    def is_read_only(self) -> bool:
        """Whether what is there may be read and not written."""
        return is_read_only(self.path, self.path / "shard", self.path / "models.json")

    def acquire(self) -> None:
        """Lock the folder that the name means; it may mean another one by the time it is locked.

        Calling it twice is fine. What is read-only is locked as far as its lock file lets.

        Raises:
            StoreBusyError: another process has it.
            StoreError: the lock file cannot be made.
        """
        while self._lock is None:
            owned = f"The collection {self.location!r}"
            lock = FolderLock(lock_file(self.path), owned, may_be_read_only=self.is_read_only)
            meant = resolve_folder(self._folder, self._name)
            if meant == self.path:
                self._lock = lock
            else:
                lock.release()
                self.path = meant

    def release(self) -> None:
        """Let the next process in; calling it twice is fine."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

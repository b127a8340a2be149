"""One process owns an embedded collection; the others learn which."""

import fcntl
import os
from pathlib import Path
from socket import gethostname

from ragcrawler.stores.errors import StoreBusyError, StoreError

_LONGEST_HOLDER = 300  # bytes


def lock_file(collection: Path) -> Path:
    """Where the lock of a collection's folder is: beside it, since the folder may go and come."""
    return collection.parent / f".{collection.name}.lock"


class FolderLock:
    """A file lock that names its holder.

    The operating system's lock decides and goes with its process, however that ends; process id and host in
    the file only serve the message, so an id that is used again, or left over, blocks no process. The file
    itself stays: removing it would let two processes lock two files of one name.
    """

    def __init__(self, path: Path, owned: str, *, may_be_read_only: bool = False) -> None:
        """Take the lock at `path` on what `owned` names.

        Args:
            path: of the lock file.
            owned: for messages.
            may_be_read_only: a file that cannot be written is locked as it is, none where there is none.

        Raises:
            StoreBusyError: another process has it.
            StoreError: the file cannot be made or locked.
        """
        self._descriptor: int | None = None
        self._is_named = not (may_be_read_only and not _is_writable(path))
        if not self._is_named and not path.exists():
            return
        try:
            mode = os.O_RDWR | os.O_CREAT if self._is_named else os.O_RDONLY
            self._descriptor = os.open(path, mode | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise StoreError(
                f"Cannot make the lock file {str(path)!r}: {error.strerror}. "
                "Make its folder writable, or choose another."
            ) from error
        self._lock(self._descriptor, owned)

    def _lock(self, descriptor: int, owned: str) -> None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _holder(os.pread(descriptor, _LONGEST_HOLDER, 0))
            os.close(descriptor)
            raise StoreBusyError(
                f"{owned} is in use by the process with {holder}; the embedded engine lets in one process "
                "at a time. Wait until that one ends (a crawl does so for COLLECTION_WAIT_SECONDS), or stop "
                "it; to search while a crawl writes, run `scrapy serve` before it, or set QDRANT_URL."
            ) from None
        except OSError as error:
            os.close(descriptor)
            raise StoreError(
                f"{owned} cannot be locked: {error.strerror}. Choose a folder on a disk of this machine."
            ) from error
        if self._is_named:
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()} {gethostname()}\n".encode(), 0)

    def release(self) -> None:
        """Let the next process in; calling it twice is fine."""
        if self._descriptor is not None:
            if self._is_named:
                os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = None


def _is_writable(path: Path) -> bool:
    return os.access(path if path.exists() else path.parent, os.W_OK)


def _holder(written: bytes) -> str:
    """Who wrote it, for a message; the host where it is another one, as on a shared disk it may be."""
    process, _, host = written.decode("utf-8", "replace").strip().partition(" ")
    return f"id {process or 'unknown'}" + (f" on {host}" if host not in {"", gethostname()} else "")

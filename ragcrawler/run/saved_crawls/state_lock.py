"""A lock by which one process at a time works on a saved crawl."""

import fcntl
import os
import weakref
from pathlib import Path
from typing import Self

from ragcrawler.frontier.states.sqlite import FrontierStateError
from ragcrawler.frontier.states.sqlite.errors import state_errors

_PID_BYTES = 32


class StateLock:
    """A lock that goes with its process, however that ends.

    Args:
        path: of the state; the lock is a file beside it.

    Raises:
        FrontierStateError: another process has it.
    """

    def __init__(self, path: Path) -> None:
        with state_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        # A crawl that fails before it begins closes nothing.
        self._close = weakref.finalize(self, os.close, descriptor)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(descriptor, _PID_BYTES).decode("ascii", "replace")
            self.close()
            raise FrontierStateError(
                f"this crawl is running already, as process {holder}: wait for its end, or stop it"
            ) from error
        with state_errors(path):
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, str(os.getpid()).encode("ascii"), 0)

    def close(self) -> None:
        """Let others have it; calling it twice is fine."""
        self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

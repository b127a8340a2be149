"""Writes of a transaction that need no answer: they go with its next script, and cost no call."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

Argument = str | bytes | float
NO_LEASE: tuple[bytes, int] = (b"", 0)


class WaitingWrites(threading.local):
    """Each thread has its own. Redis applies them together with the script that takes them, or not at all.

    Attributes:
        lease: key and number of one without which nothing of the transaction happens.
    """

    def __init__(self) -> None:
        self.lease = NO_LEASE
        self._depth = 0
        self._parts: list[Argument] = []
        self._names: set[str] = set()

    @property
    def is_collecting(self) -> bool:
        """Whether a transaction is under way."""
        return self._depth > 0

    @contextmanager
    def collecting(self) -> Iterator[bool]:
        """A transaction, which may be part of another; gives whether it is the outermost.

        Where it breaks, what still waits is dropped.
        """
        is_outermost = self._depth == 0
        self._depth += 1
        try:
            yield is_outermost
        except BaseException:
            if is_outermost:
                self._drop()
            raise
        finally:
            self._depth -= 1
            if is_outermost:
                self.lease = NO_LEASE

    def add(self, command: str, name: str, *arguments: Argument) -> None:
        """Let a command wait.

        Args:
            command: of Redis, whose first argument is a key.
            name: of the key, without the crawl's prefix.
            arguments: the others.
        """
        self._parts += (command, 1 + len(arguments), name, *arguments)
        self._names.add(name)

    @property
    def is_waiting(self) -> bool:
        """Whether there are some."""
        return bool(self._parts)

    def concern(self, name: str) -> bool:
        """Whether one of them changes a key."""
        return name in self._names

    def take(self) -> list[Argument]:
        """All that wait, as the scripts want them."""
        parts = self._parts
        self._drop()
        return parts

    def _drop(self) -> None:
        self._parts, self._names = [], set()

"""Answers of Redis of a moment ago: others change few of them, and a page asks for many again."""

import time
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")

_MAX_ENTRIES = 100_000


class Recent(Generic[Value]):
    """Values by key that are a moment old at the most.

    Args:
        seconds: how old; 0.0 keeps none.
        breaks: how often the server was away: it may have lost what was written last.
        clock: seconds that only grow.
    """

    def __init__(
        self, seconds: float, breaks: Callable[[], int], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._seconds = seconds
        self._breaks = breaks
        self._clock = clock
        self._known_breaks = 0
        self._values: dict[Hashable, tuple[float, Value]] = {}

    @property
    def is_on(self) -> bool:
        """Whether anything is kept."""
        return self._seconds > 0

    def get(self, key: Hashable, ask: Callable[[], Value]) -> Value:
        """The value, asked for where it is not known or too old."""
        if not self.is_on:
            return ask()
        self._forget_before_break()
        now = self._clock()
        known = self._values.get(key)
        if known is not None and now - known[0] < self._seconds:
            return known[1]
        value = ask()
        self.put(key, value)
        return value

    def put(self, key: Hashable, value: Value) -> None:
        """Keep a value that is right now."""
        if self.is_on:
            if len(self._values) >= _MAX_ENTRIES:
                self._values.clear()
            self._values[key] = (self._clock(), value)

    def change(self, key: Hashable, value: Value) -> None:
        """Keep what this worker has changed, as long as the value before it."""
        if key in self._values:
            self._values[key] = (self._values[key][0], value)

    def drop(self, key: Hashable) -> None:
        """Ask again at the next time."""
        self._values.pop(key, None)

    def _forget_before_break(self) -> None:
        if self._known_breaks != self._breaks():
            self._known_breaks = self._breaks()
            self._values.clear()

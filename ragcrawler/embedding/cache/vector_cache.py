"""The `VectorCache` Protocol, and the cache that stores nothing."""

from collections.abc import Mapping, Sequence
from typing import Protocol


class VectorCache(Protocol):
    """Bytes by key; it may forget, and never fails its caller.

    Attributes:
        damaged: entries that were not what had been kept; each was forgotten.
        failures: times when the file could be neither read nor written.
    """

    damaged: int
    failures: int

    def find(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """The content of those keys that are there."""

    def keep(self, entries: Mapping[bytes, bytes]) -> None:
        """Remember the content of some keys."""

    def forget(self, keys: Sequence[bytes]) -> int:
        """Forget these keys, so that nothing of their content is left; how many there were."""

    def close(self) -> None:
        """Let go of the file."""


class NoVectorCache:
    """Remembers nothing."""

    damaged = 0
    failures = 0

    def find(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:  # noqa: ARG002 - the Protocol's signature
        """Nothing."""
        return {}

    def keep(self, entries: Mapping[bytes, bytes]) -> None:
        """Forget them."""

    def forget(self, keys: Sequence[bytes]) -> int:  # noqa: ARG002 - likewise
        """There is nothing to forget."""
        return 0

    def close(self) -> None:
        """Nothing is open."""

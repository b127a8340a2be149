"""A long sequence in pieces of bounded size."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

ItemT = TypeVar("ItemT")

WRITE_BATCH = 64
"""Points a request: about 2 MB with 768 dimensions, far below the 32 MB that a server takes."""

READ_BATCH = 256
"""Points a page of a scroll, which carries payloads only."""


def batches(items: Sequence[ItemT], size: int) -> Iterator[Sequence[ItemT]]:
    """Slices of at most `size` items, in order."""
    for start in range(0, len(items), size):
        yield items[start : start + size]

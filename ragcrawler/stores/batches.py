"""A long sequence in pieces of bounded size."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

ItemT = TypeVar("ItemT")

WRITE_BATCH = 64
"""Points a request: about 2 MB with 768 dimensions."""

WRITE_BYTES = 16 * 2**20
"""Of a request, as far as can be estimated; a server takes 32 MiB by default."""

READ_BATCH = 256
"""Points a page of a scroll, which carries payloads only."""


def batches(
    items: Iterable[ItemT], most: int, *, size: Callable[[ItemT], int] | None = None, most_size: int = 0
) -> Iterator[list[ItemT]]:
    """The items in order, at most `most` of them and, by `size`, at most `most_size` in a batch.

    An item that is bigger by itself is a batch of its own.
    """
    batch: list[ItemT] = []
    filled = 0
    for item in items:
        weight = size(item) if size else 0
        if batch and (len(batch) == most or filled + weight > most_size):
            yield batch
            batch, filled = [], 0
        batch.append(item)
        filled += weight
    if batch:
        yield batch

"""Running texts through a model in small batches, several at a time."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from ragcrawler.embedding.batch_limits import BatchLimits

VectorT = TypeVar("VectorT")


def embed_sorted(
    embed_batch: Callable[[list[str]], Sequence[VectorT]], texts: Sequence[str], limits: BatchLimits
) -> list[VectorT]:
    """The vector of each text, in the order of the texts.

    A batch is padded to its longest text, and padding costs as much as text: like lengths go together. A
    thread that runs whole batches waits for no other, unlike threads that share the work of one batch.

    Args:
        embed_batch: one vector for each text, in order; several threads may call it at once.
        texts: any number.
        limits: of one batch, and of batches at a time; together they bound the memory.
    """
    batches = list(_batches(texts, limits))
    with ThreadPoolExecutor(limits.runs, thread_name_prefix="embedding") as pool:
        made = pool.map(lambda batch: embed_batch([texts[index] for index in batch]), batches)
        vectors: dict[int, VectorT] = {}
        for batch, result in zip(batches, made, strict=True):
            vectors.update(zip(batch, result, strict=True))
    return [vectors[index] for index in range(len(texts))]


def _batches(texts: Sequence[str], limits: BatchLimits) -> Iterator[list[int]]:
    """Indices of the texts, the longest first: what is left for the end is short, on all threads."""
    costs = [limits.cost(text) for text in texts]
    order = sorted(range(len(texts)), key=lambda index: (-costs[index], -len(texts[index])))
    start = 0
    while start < len(order):
        likely = order[start : start + limits.texts]
        count = limits.fitting([costs[index] for index in likely])
        yield likely[:count]
        start += count

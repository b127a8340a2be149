"""Running texts through a model in small batches, several at a time."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

VectorT = TypeVar("VectorT")


class SortedBatches(Generic[VectorT]):
    """Cuts any number of texts into batches and runs these side by side, one thread each.

    A batch is padded to its longest text, and padding costs as much as text: like lengths go together. A
    thread that runs whole batches waits for no other, unlike threads that share the work of one batch.
    """

    def __init__(
        self, embed_batch: Callable[[list[str]], Iterable[VectorT]], batch_size: int, threads: int
    ) -> None:
        """Take the call that embeds one batch.

        Args:
            embed_batch: one vector for each text, in order; several threads may call it at once.
            batch_size: texts in one batch; bounds the memory, together with the threads.
            threads: batches at a time.
        """
        self._embed_batch = embed_batch
        self._batch_size = batch_size
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="embedding")

    def embed(self, texts: Sequence[str]) -> list[VectorT]:
        """The vector of each text, in the order of the texts."""
        longest_first = sorted(range(len(texts)), key=lambda index: -len(texts[index]))
        starts = range(0, len(texts), self._batch_size)
        batches = [longest_first[start : start + self._batch_size] for start in starts]
        made = self._pool.map(
            lambda batch: list(self._embed_batch([texts[index] for index in batch])), batches
        )
        vectors: dict[int, VectorT] = {}
        for batch, result in zip(batches, made, strict=True):
            vectors.update(zip(batch, result, strict=True))
        return [vectors[index] for index in range(len(texts))]

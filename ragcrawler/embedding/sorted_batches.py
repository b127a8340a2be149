"""Running texts through a model in small batches of like length."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

VectorT = TypeVar("VectorT")


def embed_sorted(
    texts: Sequence[str], batch_size: int, embed_batch: Callable[[list[str]], Iterable[VectorT]]
) -> list[VectorT]:
    """The vector of each text, in the order of the texts.

    A batch is padded to its longest text, and padding costs as much as text: like lengths go together.

    Args:
        texts: any number of texts.
        batch_size: texts in one call of the model; bounds the memory.
        embed_batch: one vector for each text of a batch, in order.
    """
    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    vectors: dict[int, VectorT] = {}
    for start in range(0, len(order), batch_size):
        batch = order[start : start + batch_size]
        vectors.update(zip(batch, embed_batch([texts[index] for index in batch]), strict=True))
    return [vectors[index] for index in range(len(texts))]

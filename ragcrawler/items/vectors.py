"""The embeddings of a text."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Weights of the vocabulary entries that are not zero; both sequences have one length."""

    indices: Sequence[int]
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class Vectors:
    """The embeddings of one text.

    Attributes:
        dense: has the length that its model's description gives.
        sparse: weights by index.
        tokens: vectors of parts of the text, a byte a dimension, where the collection keeps them.
    """

    dense: Sequence[float]
    sparse: SparseVector
    tokens: tuple[bytes, ...] = ()

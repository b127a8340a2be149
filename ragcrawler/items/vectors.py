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
    """The two embeddings of one text; `dense` has the length its model's description gives."""

    dense: Sequence[float]
    sparse: SparseVector

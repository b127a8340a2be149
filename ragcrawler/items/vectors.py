"""The embeddings of a text."""

from collections.abc import Iterable, Sequence
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


class DenseWithTokens(tuple[float, ...]):
    """A dense vector as any other, to whoever does not ask for its tokens.

    Attributes:
        tokens: vectors of parts of the text, a byte a dimension, see `ragcrawler.embedding.tokens`.
    """

    tokens: tuple[bytes, ...]

    def __new__(cls, numbers: Iterable[float], tokens: tuple[bytes, ...]) -> "DenseWithTokens":
        made = super().__new__(cls, numbers)
        made.tokens = tokens
        return made


def tokens_of(vector: Sequence[float]) -> tuple[bytes, ...]:
    """The vectors of the tokens; none where the model was not asked for them."""
    return vector.tokens if isinstance(vector, DenseWithTokens) else ()

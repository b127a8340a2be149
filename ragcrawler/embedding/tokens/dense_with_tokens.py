"""A dense vector that brings the vectors of its text's tokens along."""

from collections.abc import Iterable

from ragcrawler.embedding.protocol import DenseVector


class DenseWithTokens(tuple[float, ...]):
    """A dense vector as any other, to whoever does not ask for its tokens.

    Attributes:
        tokens: vectors of parts of the text, a byte a dimension, see `token_bytes`.
    """

    tokens: tuple[bytes, ...]

    def __new__(cls, numbers: Iterable[float], tokens: tuple[bytes, ...]) -> "DenseWithTokens":
        made = super().__new__(cls, numbers)
        made.tokens = tokens
        return made


def tokens_of(vector: DenseVector) -> tuple[bytes, ...]:
    """The vectors of the tokens; none where the model was not asked for them."""
    return vector.tokens if isinstance(vector, DenseWithTokens) else ()

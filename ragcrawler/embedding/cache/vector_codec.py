"""Vectors as bytes and back, without losing a bit of what a model gave."""

from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ragcrawler.embedding.protocol import DenseVector, EmbeddingError
from ragcrawler.items import DenseWithTokens, SparseVector, tokens_of

VectorT = TypeVar("VectorT")

_NUMBERS = np.dtype("<f4")  # models compute in 32 bits, and stores keep that
_INDICES = np.dtype("<u4")


class VectorCodec(Protocol, Generic[VectorT]):
    """How one kind of vector is written down."""

    def encode(self, vector: VectorT) -> bytes:
        """The vector as bytes.

        Raises:
            EmbeddingError: it is not what a model of this kind should give.
        """

    def decode(self, content: bytes) -> VectorT:
        """The vector again.

        Raises:
            ValueError: these bytes are none.
        """


class DenseCodec:
    """`dimensions` numbers of 32 bits."""

    def __init__(self, dimensions: int) -> None:
        self._dimensions = dimensions

    def encode(self, vector: DenseVector) -> bytes:
        """The vector as bytes.

        Raises:
            EmbeddingError: it has another length, or a number that is not finite.
        """
        if len(vector) != self._dimensions:
            raise EmbeddingError(
                f"the model gave {len(vector)} numbers instead of {self._dimensions}: choose another model"
            )
        return _finite(np.asarray(vector, _NUMBERS)).tobytes()

    def decode(self, content: bytes) -> DenseVector:
        """The vector again.

        Raises:
            ValueError: the length is wrong.
        """
        vector: list[float] = np.frombuffer(content, _NUMBERS).tolist()
        if len(vector) != self._dimensions:
            raise ValueError(f"{len(vector)} numbers instead of {self._dimensions}")
        return vector


class DenseWithTokensCodec:
    """The dense vector, then those of the tokens, a byte a dimension; the length tells how many."""

    def __init__(self, dimensions: int) -> None:
        self._dimensions = dimensions
        self._dense = DenseCodec(dimensions)

    def encode(self, vector: DenseVector) -> bytes:
        """The vectors as bytes.

        Raises:
            EmbeddingError: the dense one has another length, or a number that is not finite.
        """
        return self._dense.encode(vector) + b"".join(tokens_of(vector))

    def decode(self, content: bytes) -> DenseVector:
        """The vectors again.

        Raises:
            ValueError: the length is wrong.
        """
        size, step = self._dimensions * _NUMBERS.itemsize, self._dimensions
        if (len(content) - size) % step:
            raise ValueError(f"{len(content)} bytes are no vectors of {step} dimensions")
        tokens = tuple(content[at : at + step] for at in range(size, len(content), step))
        return DenseWithTokens(self._dense.decode(content[:size]), tokens)


class SparseCodec:
    """All indices, then all values, of 32 bits each."""

    def encode(self, vector: SparseVector) -> bytes:
        """The vector as bytes.

        Raises:
            EmbeddingError: a value is not finite.
        """
        values = _finite(np.asarray(vector.values, _NUMBERS))
        return np.asarray(vector.indices, _INDICES).tobytes() + values.tobytes()

    def decode(self, content: bytes) -> SparseVector:
        """The vector again.

        Raises:
            ValueError: the length is wrong.
        """
        pairs, rest = divmod(len(content), _INDICES.itemsize + _NUMBERS.itemsize)
        if rest:
            raise ValueError(f"{len(content)} bytes are no pairs of an index and a value")
        indices = np.frombuffer(content, _INDICES, pairs)
        values = np.frombuffer(content, _NUMBERS, pairs, offset=indices.nbytes)
        return SparseVector(indices.tolist(), values.tolist())


def _finite(numbers: NDArray[np.float32]) -> NDArray[np.float32]:
    if not np.isfinite(numbers).all():
        raise EmbeddingError("the model gave a number that is not finite for this text")
    return numbers

"""Embeddings without a model: deterministic, fast, and blind to meaning beyond shared words.

For tests, and for whoever wants no model. The dense kind is the hashing trick with signs
(Weinberger et al. 2009, https://arxiv.org/abs/0902.2206).
"""

import math
import re
import zlib
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence

from ragcrawler.embedding.batch_limits import BatchLimits
from ragcrawler.embedding.protocol import DenseVector, ModelDescription
from ragcrawler.items import SparseVector

_WORD = re.compile(r"\w+")
_LIMIT_TOKENS = 512  # it reads any length; chunks of the usual size suit a search
_LIMITS = BatchLimits(64, 64 * _LIMIT_TOKENS, runs=1, limit_tokens=_LIMIT_TOKENS, resource="hashing")
HASHING_DENSE = ModelDescription("hashing/384", "dense", 384, _LIMIT_TOKENS, special_tokens=0)
HASHING_SPARSE = ModelDescription("hashing/sparse", "sparse", 0, _LIMIT_TOKENS, special_tokens=0)


def hashed_words(text: str) -> dict[int, float]:
    """CRC-32 of each word, in lower case, to its weight 1 + ln(occurrences); together of length 1.

    A text without a word counts as one word, so that no vector is empty.
    """
    words = Counter(_WORD.findall(text.lower()) or [text])
    weights: dict[int, float] = {}
    for word, count in words.items():
        number = zlib.crc32(word.encode("utf-8", "surrogatepass"))
        weights[number] = weights.get(number, 0.0) + 1 + math.log(count)
    length = math.hypot(*weights.values())
    return {number: weight / length for number, weight in weights.items()}


class HashingDense:
    """Every word adds its weight to one of the dimensions, with a sign; vectors have length 1."""

    def __init__(self, description: ModelDescription = HASHING_DENSE) -> None:
        self._description = description

    @property
    def description(self) -> ModelDescription:
        """Its name, dimensions and limit."""
        return self._description

    @property
    def limits(self) -> BatchLimits:
        return _LIMITS

    def embed_batch(self, texts: Sequence[str]) -> list[DenseVector]:
        """One vector a text, in their order."""
        return [self.embed_query(text) for text in texts]

    def embed_documents(self, texts: Sequence[str]) -> list[DenseVector]:
        """One vector a text, in the order of the texts."""
        return self.embed_batch(texts)

    def embed_query(self, text: str) -> DenseVector:
        vector = [0.0] * self._description.dimensions
        for number, weight in hashed_words(text).items():
            index = (number >> 1) % len(vector)
            vector[index] += weight if number & 1 else -weight
        length = sum(value * value for value in vector) ** 0.5
        return _in_32_bits(value / length for value in vector) if length else [1.0, *vector[1:]]

    def close(self) -> None:
        """Nothing to give up."""


class HashingSparse:
    """Every word is an index of its own, weighted by how often it occurs; vectors have length 1."""

    @property
    def description(self) -> ModelDescription:
        """Its name and limit."""
        return HASHING_SPARSE

    @property
    def limits(self) -> BatchLimits:
        return _LIMITS

    def embed_batch(self, texts: Sequence[str]) -> list[SparseVector]:
        """One vector a text, in their order."""
        return [self.embed_query(text) for text in texts]

    def embed_documents(self, texts: Sequence[str]) -> list[SparseVector]:
        """One vector a text, in the order of the texts; indices ascend."""
        return self.embed_batch(texts)

    def embed_query(self, text: str) -> SparseVector:
        weights = sorted(hashed_words(text).items())
        return SparseVector([index for index, _ in weights], _in_32_bits(weight for _, weight in weights))

    def close(self) -> None:
        """Nothing to give up."""


def _in_32_bits(numbers: Iterable[float]) -> list[float]:
    """Numbers as models give them and stores keep them."""
    return array("f", numbers).tolist()

"""The rows of an answer as vectors, if they are such."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ragcrawler.embedding.protocol import DenseVector, ModelUnavailableError
from ragcrawler.embedding.remote.errors import TextRefusedError


def vectors_of(rows: Sequence[Any], texts: int, dimensions: int) -> list[DenseVector]:
    """One vector a text, in 32 bits as stores keep them.

    Args:
        rows: as the service gave them.
        texts: how many it was asked for.
        dimensions: of each; 0 where they are still to be learned.

    Raises:
        ModelUnavailableError: there are too few or too many, or they are no rows of numbers.
        TextRefusedError: a number is not finite: that may be one text's doing.
    """
    if len(rows) != texts:
        raise ModelUnavailableError(f"the service gave {len(rows)} vectors for {texts} texts")
    return [_vector(row, dimensions) for row in rows]


def _vector(row: Any, dimensions: int) -> DenseVector:
    if not isinstance(row, list) or not row or not all(type(value) in (int, float) for value in row):
        raise ModelUnavailableError("the service gave something that is no list of numbers for a vector")
    if dimensions and len(row) != dimensions:
        raise ModelUnavailableError(
            f"the service gave a vector of {len(row)} numbers, this model's have {dimensions}: it runs"
            " another model now"
        )
    with np.errstate(over="ignore"):
        vector = np.array(row, np.float64).astype(np.float32)
    if not np.isfinite(vector).all():
        raise TextRefusedError("the service gave a number that is not finite for this text")
    numbers: list[float] = vector.tolist()
    return numbers

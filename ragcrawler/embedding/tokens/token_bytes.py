"""Vectors of tokens as bytes: a byte a dimension, so that an engine's product of bytes orders them rightly.

A number x of a vector of length 1 becomes the byte 128 + 254 x, and the numbers of a vector are rounded so
that they add up to nothing. Then the product of two vectors of bytes is that of the numbers, times a
constant, plus a constant: the sums by which the 128 would falsify it are 0.
"""

import numpy as np
from numpy.typing import NDArray

TOKENS_VERSION = "pairs-int8-1"
"""A collection remembers by which version its token vectors were made."""

_SCALE = 254.0  # of vectors of 384 numbers none is over a half
_ZERO = 128
_MOST = 127


def token_bytes(vectors: NDArray[np.float32]) -> tuple[bytes, ...]:
    """Each row as bytes, whatever its length was; the mean of its numbers is taken off.

    Args:
        vectors: a row a vector.
    """
    centred = vectors - vectors.mean(axis=1, keepdims=True)
    lengths = np.linalg.norm(centred, axis=1, keepdims=True)
    scaled = centred * (_SCALE / np.maximum(lengths, 1e-12))
    # The running sum is what is rounded: so the rounded numbers add up to nothing as the exact ones do.
    whole = np.diff(np.rint(np.cumsum(scaled, axis=1)), axis=1, prepend=0.0)
    rows = (np.clip(whole, -_MOST, _MOST) + _ZERO).astype(np.uint8)
    return tuple(row.tobytes() for row in rows)

"""A checksum by which any byte of a point that changed by itself is found."""

import hashlib
import json
from array import array

from ragcrawler.items import SparseVector
from ragcrawler.stores.protocol import StoredPoint

_DIGEST_BYTES = 8


def point_checksum(point: StoredPoint) -> str:
    """Of the payload, then of the vectors, as the store gives them: 16 hexadecimal digits each."""
    return payload_checksum(point) + vector_checksum(point)


def payload_checksum(point: StoredPoint) -> str:
    """BLAKE2b of the payload as JSON with sorted keys."""
    return _digest(json.dumps(point.payload, sort_keys=True).encode("ascii"))


def vector_checksum(point: StoredPoint) -> str:
    """BLAKE2b of the vectors in 32-bit numbers, entries of sparse ones ordered by index, and of tokens."""
    parts = [array("f", point.dense or ()).tobytes(), _entries(point.sparse), _entries(point.words)]
    return _digest(b"|".join([*parts, *point.tokens]))


def _entries(vector: SparseVector | None) -> bytes:
    if vector is None:
        return b""
    pairs = sorted(zip(vector.indices, vector.values, strict=False))
    return (
        array("Q", [int(index) for index, _ in pairs]).tobytes()
        + array("f", [value for _, value in pairs]).tobytes()
    )


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=_DIGEST_BYTES).hexdigest()

"""Texts as compressed blobs."""

import json
import zlib
from collections.abc import Sequence
from typing import Any

from ragcrawler.items import SemanticChunk, chunk_from_record, chunk_record

_LEVEL = 6


def packed_chunks(chunks: Sequence[SemanticChunk]) -> bytes:
    """Chunks without their vectors, together: their headings and links repeat from one to the next."""
    return _packed([chunk_record(chunk) for chunk in chunks])


def unpacked_chunks(blob: bytes) -> list[SemanticChunk]:
    """The chunks of such a blob."""
    return [chunk_from_record(record) for record in _unpacked(blob)]


def packed_urls(urls: Sequence[str]) -> bytes:
    """URLs in their order."""
    return _packed(list(urls))


def unpacked_urls(blob: bytes) -> tuple[str, ...]:
    """The URLs of such a blob."""
    return tuple(_unpacked(blob))


def _packed(value: Any) -> bytes:
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode("ascii"), _LEVEL)


def _unpacked(blob: bytes) -> Any:
    return json.loads(zlib.decompress(blob))

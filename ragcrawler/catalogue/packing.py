"""Texts as compressed blobs."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ragcrawler.items import Anchor, Document, Metadata, SemanticChunk, chunk_from_record, chunk_record

_LEVEL = 6


def pack_chunks(chunks: Sequence[SemanticChunk]) -> bytes:
    """Chunks without their vectors, together: their headings and links repeat from one to the next."""
    return _pack([chunk_record(chunk) for chunk in chunks])


def unpack_chunks(blob: bytes) -> list[SemanticChunk]:
    """The chunks of such a blob."""
    return [chunk_from_record(record) for record in _unpack(blob)]


def pack_markdown(document: Document) -> bytes:
    """The text of a document, and what it says of itself; the record and the chunks hold the rest."""
    return _pack(
        {
            "title": document.title,
            "language": document.language,
            "markdown": document.markdown,
            "metadata": asdict(document.metadata),
            "anchors": [[anchor.line, anchor.id] for anchor in document.anchors],
        }
    )


def unpack_markdown(blob: bytes) -> dict[str, Any]:
    """The fields of `Document` that such a blob holds."""
    values: dict[str, Any] = _unpack(blob)
    said: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in values["metadata"].items()
    }
    anchors = tuple(Anchor(*anchor) for anchor in values["anchors"])
    return values | {"metadata": Metadata(**said), "anchors": anchors}


def pack_urls(urls: Sequence[str]) -> bytes:
    """URLs in their order."""
    return _pack(list(urls))


def unpack_urls(blob: bytes) -> tuple[str, ...]:
    """The URLs of such a blob."""
    return tuple(_unpack(blob))


def _pack(value: Any) -> bytes:
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode("ascii"), _LEVEL)


def _unpack(blob: bytes) -> Any:
    return json.loads(zlib.decompress(blob))

"""Texts as compressed blobs."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ragcrawler.catalogue.record import DocumentRecord
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


def document_of(record: DocumentRecord, markdown: bytes, chunks: Sequence[SemanticChunk]) -> Document:
    """The document of a record, from its packed text."""
    return Document(
        id=record.document_id,
        url=record.url,
        content_hash=record.content_hash,
        fetched_at=record.fetched_at,
        chunks=tuple(chunks),
        etag=record.etag,
        last_modified=record.last_modified,
        page_hash=record.page_hash,
        near_hash=record.near_hash,
        **unpack_markdown(markdown),
    )


def _pack(value: Any) -> bytes:
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode("ascii"), _LEVEL)


def _unpack(blob: bytes) -> Any:
    return json.loads(zlib.decompress(blob))

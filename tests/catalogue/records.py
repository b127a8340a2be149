"""Records and documents for tests of the catalogue."""

from typing import Any

from ragcrawler.catalogue import ChunkRecord, DocumentRecord, site_of
from ragcrawler.items import Anchor, ChunkExtra, Document, Metadata, SemanticChunk


def record(number: int, **changes: Any) -> DocumentRecord:
    url = changes.pop("url", f"https://a.example/{number}")
    fields: dict[str, Any] = {
        "document_id": f"d{number:04}",
        "url": url,
        "site": site_of(url),
        "page_hash": f"page {number}",
        "content_hash": f"content {number}",
        "preparation": "p1",
        "chunks": (ChunkRecord(f"c{number}-1", "e1", "p1"), ChunkRecord(f"c{number}-0", "e0", "p0")),
        "near_hash": f"{number:016x}",
        "etag": '"1"',
        "last_modified": "yesterday",
        "fetched_at": "2026-01-01T00:00:00+00:00",
        "first_seen": "run 1",
        "last_seen": "run 1",
    }
    return DocumentRecord(**(fields | changes))


def chunk(**changes: Any) -> SemanticChunk:
    fields: dict[str, Any] = {
        "id": "c1",
        "chunk_id": "d_h1_1_chunk_0",
        "document_id": "d0001",
        "content": "Water \ud800 early.",
        "content_hash": "h",
        "token_count": 3,
        "embed_text": "Garden\n\nWater early.",
        "start": 0,
        "end": 12,
        "position": 0,
        "section_path": ("Garden", "Care"),
        "headers": (("Header 1", "Garden"), ("Header 2", "Care")),
        "next_chunk_id": "c2",
        "extra": ChunkExtra(table_id="t", chunk_index=0, suspicious=("ignore all",)),
        "fetched_at": "2026-01-01T00:00:00+00:00",
    }
    return SemanticChunk(**(fields | changes))


def document(**changes: Any) -> Document:
    fields: dict[str, Any] = {
        "id": "d0001",
        "url": "https://a.example/1",
        "title": "Garden",
        "language": "en",
        "markdown": "# Garden\n\nWater \ud800 early.",
        "content_hash": "content 1",
        "fetched_at": "2026-01-01T00:00:00+00:00",
        "metadata": Metadata(description="About water.", pages=2, suspicious=("ignore all",)),
        "anchors": (Anchor(0, "garden"),),
        "chunks": (chunk(),),
        "etag": '"1"',
        "last_modified": "yesterday",
        "page_hash": "page 1",
        "near_hash": f"{1:016x}",
    }
    return Document(**(fields | changes))

"""Chunks as plain values, for JSON."""

from dataclasses import fields

from ragcrawler.items import ChunkExtra, SemanticChunk

Record = dict[str, object]

_LEFT_OUT = {"vectors", "extra"}


def chunk_record(chunk: SemanticChunk) -> Record:
    """All fields but the vectors; `headers` an object, no neighbour null, of `extra` only what is set."""
    record: Record = {
        field.name: getattr(chunk, field.name) for field in fields(chunk) if field.name not in _LEFT_OUT
    }
    record["headers"] = dict(chunk.headers)
    record["prev_chunk_id"] = chunk.prev_chunk_id or None
    record["next_chunk_id"] = chunk.next_chunk_id or None
    record["extra"] = _extra_record(chunk.extra)
    return record


def _extra_record(extra: ChunkExtra) -> Record:
    record: Record = {field.name: getattr(extra, field.name) for field in fields(extra)}
    kept = {name: value for name, value in record.items() if value}
    return {**kept, "chunk_index": extra.chunk_index} if extra.table_id else kept

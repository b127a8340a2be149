"""Chunks as JSON types."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from ragcrawler.items.chunk import ChunkExtra, SemanticChunk

_CHUNK_FIELDS = tuple(entry.name for entry in fields(SemanticChunk) if entry.metadata.get("feed", True))
EXTRA_TUPLES = ("suspicious", "links")
_EXTRA_DEFAULTS = {entry.name: entry.default for entry in fields(ChunkExtra)}


def chunk_record(chunk: SemanticChunk) -> dict[str, Any]:
    """The chunk as JSON types, for feeds and programs: every field but the vectors; no neighbour is null."""
    record = {name: getattr(chunk, name) for name in _CHUNK_FIELDS}
    record["prev_chunk_id"] = chunk.prev_chunk_id or None
    record["next_chunk_id"] = chunk.next_chunk_id or None
    record["section_path"] = list(chunk.section_path)
    record["aliases"] = list(chunk.aliases)
    record["headers"] = dict(chunk.headers)
    record["extra"] = extra_record(chunk.extra)
    return record


def chunk_from_record(record: Mapping[str, Any]) -> SemanticChunk:
    """The chunk of such a record, without vectors.

    Raises:
        KeyError: a field is missing.
        TypeError: there is a field that no chunk has.
    """
    extra = dict(record["extra"])
    for name in EXTRA_TUPLES:
        extra[name] = tuple(extra.get(name, ()))
    return SemanticChunk(
        **{
            **record,
            "prev_chunk_id": record["prev_chunk_id"] or "",
            "next_chunk_id": record["next_chunk_id"] or "",
            "section_path": tuple(record["section_path"]),
            "aliases": tuple(record.get("aliases", ())),
            "headers": tuple(record["headers"].items()),
            "extra": ChunkExtra(**extra),
        }
    )


def extra_record(extra: ChunkExtra) -> dict[str, Any]:
    """Only what is set, the index of a table's first part included; tuples as lists."""
    values = {name: getattr(extra, name) for name in _EXTRA_DEFAULTS}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value != _EXTRA_DEFAULTS[name] or (name == "chunk_index" and extra.table_id)
    }


def chunk_records(chunks: Sequence[SemanticChunk]) -> list[dict[str, Any]]:
    """The chunks of a document as a feed shows them.

    Scrapy's `FEED_EXPORT_FIELDS` knows only the fields of the item itself; it calls this as their serializer.
    """
    return [chunk_record(chunk) for chunk in chunks]

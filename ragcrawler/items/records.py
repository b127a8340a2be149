"""Chunks as JSON types."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from ragcrawler.items.chunk import ChunkExtra, SemanticChunk

_CHUNK_FIELDS = tuple(entry.name for entry in fields(SemanticChunk) if entry.metadata.get("feed", True))
_EXTRA_TUPLES = ("suspicious", "links", "headings")
_EXTRA_DEFAULTS = {entry.name: entry.default for entry in fields(ChunkExtra)}


def chunk_record(chunk: SemanticChunk) -> dict[str, Any]:
    """The chunk as JSON types, for feeds and programs: every field but the vectors.

    No neighbour, no split sequence and no extra are null, as in specification 001.
    """
    record = {name: getattr(chunk, name) for name in _CHUNK_FIELDS}
    record["prev_chunk_id"] = chunk.prev_chunk_id or None
    record["next_chunk_id"] = chunk.next_chunk_id or None
    record["split_sequence"] = chunk.split_sequence or None
    record["section_path"] = list(chunk.section_path)
    record["aliases"] = list(chunk.aliases)
    record["headers"] = dict(chunk.headers)
    record["extra"] = extra_record(chunk.extra)
    return record


def chunk_from_record(record: Mapping[str, Any]) -> SemanticChunk:
    """The chunk of such a record, without vectors; earlier versions wrote "" and {} in the place of null.

    A field that the version that wrote it did not know has its default.

    Raises:
        TypeError: a field without a default is missing, or there is one that no chunk has.
    """
    return SemanticChunk(
        **{
            **record,
            "prev_chunk_id": record.get("prev_chunk_id") or "",
            "next_chunk_id": record.get("next_chunk_id") or "",
            "split_sequence": record.get("split_sequence") or "",
            "section_path": tuple(record.get("section_path", ())),
            "aliases": tuple(record.get("aliases", ())),
            "headers": tuple(record.get("headers", {}).items()),
            "extra": extra_from_record(record.get("extra")),
        }
    )


def extra_record(extra: ChunkExtra) -> dict[str, Any] | None:
    """Only what is set, the index of a table's first part included; tuples as lists; None if nothing is."""
    values = {name: getattr(extra, name) for name in _EXTRA_DEFAULTS}
    record = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value != _EXTRA_DEFAULTS[name] or (name == "chunk_index" and extra.table_id)
    }
    return record or None


def extra_from_record(record: Mapping[str, Any] | None) -> ChunkExtra:
    """The extra of such a record.

    Raises:
        TypeError: there is a field that no extra has.
    """
    values = {} if record is None else dict(record)
    for name in _EXTRA_TUPLES:
        values[name] = tuple(values.get(name, ()))
    return ChunkExtra(**values)


def chunk_records(chunks: Sequence[SemanticChunk]) -> list[dict[str, Any]]:
    """The chunks of a document as a feed shows them.

    Scrapy's `FEED_EXPORT_FIELDS` knows only the fields of the item itself; it calls this as their serializer.
    """
    return [chunk_record(chunk) for chunk in chunks]

"""A document's points held against its record."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ragcrawler.catalogue import ChunkRecord, DocumentRecord
from ragcrawler.items import SemanticChunk
from ragcrawler.maintenance.verification.facts import PointFacts

FaultKind = Literal[
    "missing_chunk",
    "surplus_chunk",
    "duplicate_chunk",
    "wrong_payload",
    "broken_neighbours",
    "bad_vector",
    "other_model",
    "unfinished_document",
    "document_without_chunks",
    "uncatalogued_document",
    "kept_out_document",
]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is not as it should be.

    Attributes:
        kind: what.
        document_id: of the document concerned.
        url: its URL, "" where it is not known.
        chunk_id: of the point, "" for a fault of the whole document.
        detail: more about it.
    """

    kind: FaultKind
    document_id: str
    url: str
    chunk_id: str = ""
    detail: str = ""


def document_faults(
    record: DocumentRecord, points: Sequence[PointFacts], texts: Callable[[], Sequence[SemanticChunk]]
) -> Iterator[Fault]:
    """The faults of a document that the catalogue knows.

    Args:
        record: what should be there.
        points: what is there.
        texts: gives its chunks, as far as the catalogue has them.
    """
    if record.is_unfinished:
        detail = "interrupted: a crawl ended while it was written; the next one reads it again"
        yield _of(record, "unfinished_document", "", detail)
    elif not record.chunks:
        yield _of(record, "document_without_chunks", "", "")
    expected = {known.id: known for known in record.chunks}
    there = {point.point_id: point for point in points}
    for known in record.chunks:
        if known.id not in there:
            yield _of(record, "missing_chunk", known.id, "")
    neighbours = _neighbours(record.chunks)
    for point in points:
        recorded = expected.get(point.point_id)
        if recorded is not None:
            yield from _point_faults(record, point, recorded, neighbours[point.point_id])
        elif any(point.content_hash == chunk.content_hash for chunk in texts()):
            yield _of(record, "duplicate_chunk", point.point_id, "the same text stands under another id")
        else:
            yield _of(record, "surplus_chunk", point.point_id, "the document has no such chunk")


def _point_faults(
    record: DocumentRecord, point: PointFacts, known: ChunkRecord, neighbours: tuple[str, str]
) -> Iterator[Fault]:
    if point.vector_fault:
        yield _of(record, "bad_vector", point.point_id, point.vector_fault)
    elif point.model_fault or (point.embed_hash and point.embed_hash != known.embed_hash):
        detail = point.model_fault or "its vectors are of another text"
        yield _of(record, "other_model", point.point_id, detail)
    elif known.checksum and known.checksum != point.payload_checksum + point.vector_checksum:
        yield _changed(record, point, known, neighbours)
    elif point.payload_hash != known.payload_hash:
        yield _wrong_payload(record, point, neighbours)


def _changed(
    record: DocumentRecord, point: PointFacts, known: ChunkRecord, neighbours: tuple[str, str]
) -> Fault:
    if not known.checksum.endswith(point.vector_checksum):
        return _of(record, "bad_vector", point.point_id, "not the vectors that were written")
    if point.payload_hash != known.payload_hash:
        return _wrong_payload(record, point, neighbours)
    return _of(record, "wrong_payload", point.point_id, "not the payload that was written")


def _wrong_payload(record: DocumentRecord, point: PointFacts, neighbours: tuple[str, str]) -> Fault:
    if point.payload_hash and (point.previous, point.next) != neighbours:
        detail = f"between {point.previous or 'nothing'} and {point.next or 'nothing'}"
        return _of(record, "broken_neighbours", point.point_id, detail)
    return _of(record, "wrong_payload", point.point_id, "" if point.payload_hash else "no sound payload")


def _neighbours(chunks: Sequence[ChunkRecord]) -> Mapping[str, tuple[str, str]]:
    ids = ["", *(known.id for known in chunks), ""]
    return {known.id: (ids[index], ids[index + 2]) for index, known in enumerate(chunks)}


def _of(record: DocumentRecord, kind: FaultKind, chunk_id: str, detail: str) -> Fault:
    return Fault(kind, record.document_id, record.url, chunk_id, detail)

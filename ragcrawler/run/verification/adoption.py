"""A record for a document of which only the points are there."""

from collections.abc import Sequence
from dataclasses import replace

from ragcrawler.catalogue import ChunkMark, DocumentRecord, site_of
from ragcrawler.chunking.identity import PointIds
from ragcrawler.items import SemanticChunk
from ragcrawler.run.verification.facts import PointFacts
from ragcrawler.stores import ChunkStore


def adopted_chunks(store: ChunkStore, document_id: str, points: Sequence[PointFacts]) -> list[SemanticChunk]:
    """Those of the points that are chunks of the document, in order, each with the right neighbours.

    Its id says whether a point is: it follows from the document and the content.

    Raises:
        StoreError: the store cannot be read.
    """
    sound = store.get([point.point_id for point in points if point.payload_hash])
    ids = PointIds(document_id)
    right = {ids.next(chunk.content_hash) for chunk in sound}
    kept = sorted((chunk for chunk in sound if chunk.id in right), key=lambda chunk: chunk.position)
    neighbours = ["", *(chunk.id for chunk in kept), ""]
    return [
        replace(chunk, prev_chunk_id=neighbours[index], next_chunk_id=neighbours[index + 2])
        for index, chunk in enumerate(kept)
    ]


def adopted_record(document_id: str, chunks: Sequence[SemanticChunk]) -> DocumentRecord:
    """The record of such a document; nothing in it keeps the next crawl from reading the page."""
    url = chunks[0].source_url
    return DocumentRecord(
        document_id=document_id,
        url=url,
        site=site_of(url),
        page_hash="",
        content_hash="",
        preparation="",
        chunks=tuple(map(ChunkMark.of, chunks)),
        fetched_at=chunks[0].fetched_at,
    )

"""Records for documents of which only the points are there."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ragcrawler.bootstrap.checksums import with_checksums
from ragcrawler.catalogue import ChunkRecord, DocumentCatalogue, DocumentRecord, site_of
from ragcrawler.chunking.output.identity import PointIds, content_hash
from ragcrawler.items import SemanticChunk
from ragcrawler.stores import ChunkStore


def recover_chunks(document_id: str, chunks: Iterable[SemanticChunk]) -> list[SemanticChunk]:
    """Those that are chunks of the document, in order, each with the right neighbours.

    Its id says whether one is: it follows from the document and the content.
    """
    sound = [chunk for chunk in chunks if chunk.content_hash == content_hash(chunk.content)]
    ids = PointIds(document_id)
    right = {ids.next(chunk.content_hash) for chunk in sound}
    kept = sorted((chunk for chunk in sound if chunk.id in right), key=lambda chunk: chunk.position)
    neighbours = ["", *(chunk.id for chunk in kept), ""]
    return [
        replace(chunk, prev_chunk_id=neighbours[index], next_chunk_id=neighbours[index + 2])
        for index, chunk in enumerate(kept)
    ]


def recover_record(document_id: str, chunks: Sequence[SemanticChunk]) -> DocumentRecord:
    """The record of such a document; nothing in it keeps the next crawl from reading the page."""
    url = chunks[0].source_url
    return DocumentRecord(
        document_id=document_id,
        url=url,
        site=site_of(url),
        page_hash="",
        content_hash="",
        preparation="",
        chunks=tuple(map(ChunkRecord.of, chunks)),
        fetched_at=chunks[0].fetched_at,
        aliases=chunks[0].aliases,
    )


def recover_records(store: ChunkStore, catalogue: DocumentCatalogue, document_ids: Iterable[str]) -> int:
    """Enter documents as the store has them, in place of what was known of their chunks; how many changed.

    Neighbours that do not know each other are led together. The next crawl reads the pages anew. A document
    of which no chunk is sound is left out: `scrapy verify` names it.

    Raises:
        StoreError: the store cannot be read or written.
        CatalogueError: the catalogue cannot be read or written.
    """
    return sum(_enter(store, catalogue, document_id) for document_id in document_ids)


def _enter(store: ChunkStore, catalogue: DocumentCatalogue, document_id: str) -> bool:
    stored = {chunk.id: chunk for chunk in store.scroll(filters={"document_id": document_id})}
    chunks = recover_chunks(document_id, stored.values())
    if not chunks:
        return False
    known, record = catalogue.get(document_id), recover_record(document_id, chunks)
    store.upsert([chunk for chunk in chunks if chunk != stored[chunk.id]])
    (record,) = with_checksums(store, [record])
    if known is not None and known.chunks == record.chunks and not known.is_unfinished:
        return False
    if known is not None:
        record = replace(record, first_seen=known.first_seen, last_seen=known.last_seen)
    store.flush()
    catalogue.put([record], {document_id: chunks})
    return True

"""Every document of a catalogue, with its text."""

from collections.abc import Iterator
from dataclasses import dataclass

from ragcrawler.catalogue.protocol import CatalogueReader
from ragcrawler.catalogue.record import DocumentRecord
from ragcrawler.items import Document, SemanticChunk


@dataclass(frozen=True, slots=True)
class ExportedDocument:
    """A document that leaves the collection.

    Attributes:
        document: with its Markdown and its chunks.
        aliases: other URLs of the same text.
        is_composed: the Markdown was put together from the chunks: no crawl has entered the original.
    """

    document: Document
    aliases: tuple[str, ...] = ()
    is_composed: bool = False


def exported_documents(catalogue: CatalogueReader) -> Iterator[ExportedDocument]:
    """The documents in the order of their URLs, one in memory at a time; those without any text are left out.

    Raises:
        CatalogueError: it cannot be read.
    """
    for document_id in catalogue.ids_by_url():
        record = catalogue.get(document_id)
        exported = _exported(catalogue, record) if record is not None else None
        if exported is not None:
            yield exported


def _exported(catalogue: CatalogueReader, record: DocumentRecord) -> ExportedDocument | None:
    document = catalogue.document(record)
    if document is not None:
        return ExportedDocument(document, record.aliases)
    chunks = catalogue.chunks(record.document_id)
    return ExportedDocument(_composed(record, chunks), record.aliases, is_composed=True) if chunks else None


def _composed(record: DocumentRecord, chunks: list[SemanticChunk]) -> Document:
    """The document as far as its chunks know it; a table that was cut has its head in each part."""
    return Document(
        id=record.document_id,
        url=record.url,
        title=chunks[0].document_title,
        language="",
        markdown="\n\n".join(chunk.extra.full_text or chunk.content for chunk in chunks),
        content_hash=record.content_hash,
        fetched_at=record.fetched_at,
        chunks=tuple(chunks),
        etag=record.etag,
        last_modified=record.last_modified,
    )

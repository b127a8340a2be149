"""The documents of a collection: read for their summaries, and written back with them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ragcrawler.bootstrap.models.collection_embedders import preparation_for
from ragcrawler.bootstrap.preparation_fingerprint import preparation_fingerprint
from ragcrawler.catalogue import DocumentCatalogue, DocumentRecord
from ragcrawler.chunking import without_summary
from ragcrawler.config.configuration import Configuration
from ragcrawler.embedding.embedders import Embedders
from ragcrawler.items import Document, SemanticChunk
from ragcrawler.run.indexing.synchronise import DocumentWrite, synchronise
from ragcrawler.stores import ChunkStore


class StoredDocument(NamedTuple):
    """A document as it is stored.

    Attributes:
        record: of the catalogue.
        document: with its chunks.
        bare: the same, its chunks as they were cut: without summaries.
    """

    record: DocumentRecord
    document: Document
    bare: Document

    @property
    def embeds_summaries(self) -> bool:
        """Whether the summary of a chunk is in its embedded text."""
        pairs = zip(self.document.chunks, self.bare.chunks, strict=True)
        return any(chunk.embed_text != bare.embed_text for chunk, bare in pairs)


@dataclass(frozen=True, slots=True)
class Marks:
    """Fingerprints in the catalogue of how documents were made.

    Attributes:
        plain: as crawls of today make them, without summaries.
        summarised: the same with summaries of today; "" where crawls make none.
    """

    plain: str
    summarised: str

    @classmethod
    def of(cls, configuration: Configuration, embedders: Embedders) -> "Marks":
        """Those of the configured crawls."""
        preparation, summaries = preparation_for(embedders, configuration), configuration.summaries
        summarised = preparation_fingerprint(preparation, summaries.fingerprint) if summaries else ""
        return cls(preparation_fingerprint(preparation), summarised)

    def are_current(self, stored: StoredDocument) -> bool:
        """Whether all summaries of a document are there, and of today's model and wording."""
        is_marked = bool(self.summarised) and stored.record.preparation == self.summarised
        return is_marked and all(chunk.summary for chunk in stored.document.chunks)

    def after(self, stored: StoredDocument, chunks: Sequence[SemanticChunk]) -> str:
        """The mark of a document with new summaries: where a crawl would make the same, it need not."""
        is_plain = stored.record.preparation == self.plain and not stored.embeds_summaries
        is_whole = all(chunk.summary for chunk in chunks)
        return self.summarised if self.summarised and is_plain and is_whole else stored.record.preparation


class StoredDocuments:
    """The documents of one collection.

    Args:
        store: of the collection.
        catalogue: of the same.
        embedders: of the same, for texts that change with their summaries.
        marks: by which a document counts as done.

    Attributes:
        left: documents that only a crawl or a repair can make whole; the last walk passed over them.
    """

    def __init__(
        self, store: ChunkStore, catalogue: DocumentCatalogue, embedders: Embedders, marks: Marks
    ) -> None:
        self._store = store
        self._catalogue = catalogue
        self._embedders = embedders
        self._marks = marks
        self.left = 0

    def unsummarised(self) -> Iterator[StoredDocument]:
        """The documents whose summaries are not known to be all there, and of today."""
        self.left = 0
        for record in self._catalogue.documents():
            chunks = self._chunks(record)
            if record.is_unfinished or len(chunks) != len(record.chunks):
                self.left += 1
                continue
            document = self._document(record, chunks)
            model = self._embedders.name
            bare = replace(document, chunks=tuple(without_summary(chunk, model=model) for chunk in chunks))
            stored = StoredDocument(record, document, bare)
            if not self._marks.are_current(stored):
                yield stored

    def write(self, summarised: Sequence[tuple[StoredDocument, Document]]) -> int:
        """Bring store and catalogue in step with new summaries; how many chunks changed.

        Chunks that got no summary stay as they are stored.

        Args:
            summarised: each stored document, and its bare one with summaries.

        Raises:
            StoreError: the store cannot be written, or refuses a chunk.
            CatalogueError: the catalogue cannot be written.
            EmbeddingError: a text cannot be embedded.
        """
        writes = [self._write_of(stored, document) for stored, document in summarised]
        changed = [each for each in writes if each is not None]
        results = synchronise(self._store, self._catalogue, changed)
        for refusal in (each for result in results for each in result.refused.values()):
            raise refusal
        return sum(result.new + result.updated for result in results)

    def _write_of(self, stored: StoredDocument, document: Document) -> DocumentWrite | None:
        pairs = zip(stored.document.chunks, document.chunks, strict=True)
        chunks = tuple(new if new.summary else old for old, new in pairs)
        record = replace(stored.record, preparation=self._marks.after(stored, chunks))
        if chunks == stored.document.chunks and record == stored.record:
            return None
        return DocumentWrite(record, self._embedded(record.document_id, chunks))

    def _embedded(self, document_id: str, chunks: tuple[SemanticChunk, ...]) -> tuple[SemanticChunk, ...]:
        """The chunks, with vectors where the store has none of their texts."""
        stored = self._store.embed_hashes(document_id)
        fresh = [chunk for chunk in chunks if stored.get(chunk.id) != chunk.embed_hash]
        vectors = self._embedders.embed(fresh) if fresh else []
        made = {chunk.id: each for chunk, each in zip(fresh, vectors, strict=True)}
        return tuple(replace(chunk, vectors=made.get(chunk.id)) for chunk in chunks)

    def _chunks(self, record: DocumentRecord) -> list[SemanticChunk]:
        known = self._catalogue.chunks(record.document_id)
        return known or sorted(
            self._store.get([chunk.id for chunk in record.chunks]), key=lambda chunk: chunk.position
        )

    def _document(self, record: DocumentRecord, chunks: Sequence[SemanticChunk]) -> Document:
        """The document; where its text is not known, as after an import, its passages stand for it."""
        if (document := self._catalogue.document(record)) is not None:
            return replace(document, chunks=tuple(chunks))
        return Document(
            id=record.document_id,
            url=record.url,
            title=chunks[0].document_title if chunks else "",
            language="",
            markdown="\n\n".join(chunk.content for chunk in chunks),
            content_hash=record.content_hash,
            fetched_at=record.fetched_at,
            chunks=tuple(chunks),
        )

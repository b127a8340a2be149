"""The questions to a catalogue, and what can be written to it; implemented for SQLite and PostgreSQL."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, Self

from ragcrawler.catalogue.kept_out import KeptOutEntry, TakenOut
from ragcrawler.catalogue.record import (
    NO_WRITER,
    DocumentRecord,
    NearHash,
    Refused,
    SiteTotals,
    WriterLease,
)
from ragcrawler.catalogue.revisit import DueDate, Revisit
from ragcrawler.catalogue.text_claims import TextClaims
from ragcrawler.items import Document, SemanticChunk

RECOVERED = "recovered"
"""Stands for a crawl in the sightings of a document that was entered from its points."""


class CatalogueReader(Protocol):
    """The questions. Every method raises `CatalogueError` where the catalogue cannot be read."""

    @property
    def place(self) -> str:
        """Where it is, for messages; without secrets."""

    def get(self, document_id: str) -> DocumentRecord | None: ...

    def get_all(self, document_ids: Sequence[str]) -> Mapping[str, DocumentRecord]:
        """The records of some documents by their ids; those that are not known are left out."""

    def by_url(self, url: str) -> DocumentRecord | None:
        """The record of the document with this canonical URL, or with this alias."""

    def by_content_hash(self, content_hash: str) -> DocumentRecord | None:
        """The document with this text, the one that was found first."""

    def with_text(self, content_hash: str) -> list[DocumentRecord]:
        """The documents with this text, in the order in which they were found."""

    def urls(self) -> Iterator[tuple[str, str]]:
        """Id and URL of every document; read in pages."""

    def aliases(self) -> Iterator[tuple[str, str]]:
        """Id of the document and alias, of every alias; read in pages."""

    def documents_of_chunks(self, chunk_ids: Sequence[str]) -> Mapping[str, str]:
        """Chunk id to the id of the document that has it; chunks that no document has are left out."""

    def documents(self, site: str | None = None, *, after: str = "") -> Iterator[DocumentRecord]:
        """Every record, or those of a site, in the order of their ids; read in pages.

        Records may be changed meanwhile.

        Args:
            site: all of them unless it is given.
            after: an id; those up to it are left out.
        """

    def ids_by_url(self) -> list[str]:
        """The ids of all documents, in the order of their URLs."""

    def sites(self) -> list[str]:
        """The sites that have documents, in order."""

    def site_totals(self) -> list[SiteTotals]:
        """The sites that have documents, in order, with how much there is of each."""

    def count(self, site: str | None = None) -> int: ...

    def near_hashes(self, site: str | None = None) -> Iterator[NearHash]:
        """The fingerprints for near-duplicates, of documents that have one."""

    def due_dates(self, site: str) -> Iterator[DueDate]:
        """When the pages of a site are due, and their aliases with them; read in pages.

        Those that no page linked to any more are left out: a crawl that follows all links judges them.
        """

    def chunks(self, document_id: str) -> list[SemanticChunk]:
        """The chunks of a document as they were stored, without vectors; none where they are not known."""

    def has_markdown(self, record: DocumentRecord) -> bool:
        """Whether the Markdown of a document is known as it is in the collection."""

    def document(self, record: DocumentRecord) -> Document | None:
        """The document of a record, with its chunks; None where its Markdown is not known."""

    def shared_blocks(self, site: str) -> Mapping[str, str]:
        """Hash of each block that the pages of a site share -> the id of the document that keeps it."""

    def was_reached(self, document_id: str, crawl: str) -> bool:
        """Whether a crawl with these arguments has led to a document."""

    def is_only_recovered(self, document_id: str) -> bool:
        """Whether a document was entered from its points, and no crawl has led to it since."""

    def kept_out(self) -> list[KeptOutEntry]:
        """What no crawl and no import may bring, in the order of the patterns."""

    def kept_out_version(self) -> tuple[int, int]:
        """Another one after each change of that list."""

    def taken_out(self) -> list[TakenOut]:
        """Documents that somebody took out and that did not come back since, of which no feed has told."""

    def open_removals(self) -> Mapping[int, str]:
        """The removals that were begun and not ended, as they were asked for, by their numbers."""


class DocumentCatalogue(CatalogueReader, Protocol):
    """Records of stored documents; not thread-safe: the store's thread owns it.

    The store is the truth about points. The catalogue says what should be there, and from which page it came.
    Whoever writes both flushes the store before the catalogue says that it has something, or has it no
    longer: so the catalogue never claims more than the store has, after a power cut either.

    Each call writes all or nothing. Every method raises `CatalogueError` where the catalogue cannot be used.
    """

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...

    def close(self) -> None:
        """Close it; calling it twice is fine."""

    def put(
        self,
        records: Sequence[DocumentRecord],
        texts: Mapping[str, Sequence[SemanticChunk]] | None = None,
        documents: Sequence[Document] = (),
    ) -> Refused:
        """Write records in one transaction, each in place of the one before.

        A record that names a crawl is compared with what is there: that of an earlier lease of the crawl is
        refused, and who has the document now hears that it was disturbed, where it is not finished with it.

        Args:
            records: their aliases are added to those that are known.
            texts: by document id, the chunks that the records list, to mend a collection from.
            documents: whose Markdown is kept, for feeds and exports.

        Returns:
            what was refused; nothing of it is written.
        """

    def mark_writing(self, records: Sequence[DocumentRecord]) -> frozenset[str]:
        """Say that documents are about to be written to the store; `put` says that they are there.

        Until then nothing lets a crawl pass them over: neither the hash of the page nor its validators. No
        chunk of a new one counts as stored. It is durable when this returns: after a power cut, a document of
        which the store may have a part is known to be unfinished.

        Returns:
            ids of those that a later lease of their crawl has, or whose crawl has ended: they must not be
            written.
        """

    def finish(self, records: Sequence[DocumentRecord]) -> frozenset[str]:
        """Say that nothing is left to delete of documents that were put as unfinished.

        Returns:
            ids of those that somebody has begun to write since, who hears that they were disturbed.
        """

    def mark_all_unread(self) -> None:
        """Take every document for unread: the store may have nothing of it."""

    def mark_seen(
        self,
        document_id: str,
        run: str,
        revisit: Revisit,
        *,
        etag: str = "",
        last_modified: str = "",
        writer: WriterLease = NO_WRITER,
    ) -> bool:
        """The page is there, and as it was; False where another worker writes it, or has a later lease.

        Args:
            document_id: of the page.
            run: that found it.
            revisit: when it is due.
            etag: of the answer.
            last_modified: likewise.
            writer: by which it was asked for.
        """

    def mark_reachable(self, document_ids: Sequence[str], crawl: str) -> None:
        """Enter that crawls with these arguments lead to these documents."""

    def mark_recovered(self, document_id: str) -> None:
        """Enter that a document was made from its points: which crawls led to it is not known any more."""

    def mark_missing(self, document_ids: Sequence[str], reason: str) -> None:
        """One more run in a row found these gone."""

    def remove(self, document_ids: Sequence[str]) -> None:
        """Forget documents; unknown ids are no error."""

    def take_out(self, records: Sequence[DocumentRecord]) -> None:
        """Forget documents that somebody took out, whatever mentions them too; `taken_out` remembers them."""

    def remember_taken_out(self, documents: Sequence[TakenOut]) -> None:
        """Enter what another catalogue's feeds have not told, unless this one has it."""

    def forget_taken_out(self, document_ids: Sequence[str]) -> None:
        """A feed has told of them."""

    def keep_out(self, entries: Sequence[KeptOutEntry]) -> None:
        """Enter what is kept out from now on; it is durable when this returns."""

    def allow(self, patterns: Sequence[str]) -> int:
        """Strike entries off that list; how many there were."""

    def begin_removal(self, request: str, entries: Sequence[KeptOutEntry] = ()) -> int:
        """Enter what is about to be removed, and what is kept out with it; its number. It is durable then."""

    def end_removal(self, number: int) -> None:
        """All of it is removed."""

    def remove_aliases(self, urls: Sequence[str]) -> None:
        """These are other names of documents no more."""

    def clear(self) -> None:
        """Forget all documents; what is kept out stays so."""

    def put_shared_blocks(self, site: str, blocks: Mapping[str, str]) -> None:
        """Enter what the pages of a site share, in place of what was entered before."""

    def begin_crawl(self, crawl: str) -> None:
        """A crawl begins, or goes on after a break: its leases count."""

    def end_crawl(self, crawl: str) -> None:
        """A crawl has ended: its leases count no more, so that a worker that was away writes nothing."""

    def text_claims(self, crawl: str, similarity: float) -> TextClaims:
        """Which page holds which text in a crawl.

        Args:
            crawl: the same for all processes that share it, another one for the next crawl.
            similarity: from which two texts are near-duplicates; 0 for never.
        """

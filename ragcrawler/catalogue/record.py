"""The catalogue's record of a document."""

from dataclasses import dataclass
from typing import NamedTuple, Self

from ragcrawler.catalogue.hashes import payload_hash
from ragcrawler.items import SemanticChunk

UNLINKED = "unlinked"
"""Why a document is missing to which no page of its site led any more."""


class ChunkRecord(NamedTuple):
    """The catalogue's record of a chunk.

    Attributes:
        id: of its point.
        embed_hash: of what was embedded; decides about the vectors.
        payload_hash: of everything else, but for the dates of the fetch; decides about the payload.
        checksum: of payload and vectors as the store gave them back when they were written; "" where an
            earlier release wrote them.
    """

    id: str
    embed_hash: str
    payload_hash: str
    checksum: str = ""

    @classmethod
    def of(cls, chunk: SemanticChunk) -> Self:
        """The record of a chunk, without a checksum."""
        return cls(chunk.id, chunk.embed_hash, payload_hash(chunk))

    def describes(self, chunk: SemanticChunk) -> bool:
        """Whether a chunk is still as it was."""
        return ChunkRecord.of(chunk) == self._replace(checksum="")


class WriterLease(NamedTuple):
    """What a worker of a shared crawl writes a document by.

    Attributes:
        crawl: which one, "" where one process has the crawl; with it nothing is compared.
        number: of the lease; the highest of a crawl is that of the worker that has the document now.
    """

    crawl: str = ""
    number: int = 0


NO_WRITER = WriterLease()


class Refused(NamedTuple):
    """The documents that a catalogue did not take, by their ids.

    Attributes:
        lost: another worker has a later lease, or the crawl has ended: what was written to the store for them
            is nobody's.
        disturbed: one with an earlier lease wrote to the store meanwhile: they have to be written once more.
    """

    lost: frozenset[str] = frozenset()
    disturbed: frozenset[str] = frozenset()

    @property
    def all(self) -> frozenset[str]:
        return self.lost | self.disturbed


class NearHash(NamedTuple):
    """A document's fingerprint for near-duplicates."""

    document_id: str
    near_hash: str


class SiteTotals(NamedTuple):
    """The documents of a site in numbers.

    Attributes:
        site: host, with the port where the URLs name one.
        documents: that are stored, in part at least.
        chunks: of these, that are stored.
        last_fetched: when the last of them was read, ISO 8601, UTC.
        missing: documents that the last run found gone, and that are still stored.
    """

    site: str
    documents: int
    chunks: int
    last_fetched: str
    missing: int


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """A document that was stored.

    Attributes:
        document_id: hash of its canonical URL.
        url: canonical.
        site: host, with the port where the URL names one.
        page_hash: of body and media type as they came; "" makes the next crawl convert the page anew.
        content_hash: of its Markdown.
        near_hash: fingerprint for near-duplicates, hexadecimal; "" where there is none.
        preparation: fingerprint of what converts and cuts, and of the models.
        chunks: its points, in order.
        etag: validator for a conditional request, "" where there is none.
        last_modified: likewise.
        fetched_at: ISO 8601, UTC; when the page was last read.
        aliases: other URLs that gave the same text.
        missing_runs: runs in a row that found the page gone; 0 while it is there.
        missing_reason: why: `http_404`, `noindex`, `unlinked`; "" while it is there.
        first_seen: id of the run that found it.
        last_seen: id of the run that saw it last.
        is_unfinished: a crawl began to write it to the store and has not come to the end.
        interval_seconds: between two visits of its page; 0.0 where an earlier release wrote it.
        due_at: when its page is asked for again, in seconds since 1970.
        crawl: of the lease by which it was written, see `WriterLease`.
        lease: its number.
    """

    document_id: str
    url: str
    site: str
    page_hash: str
    content_hash: str
    preparation: str
    chunks: tuple[ChunkRecord, ...] = ()
    near_hash: str = ""
    etag: str = ""
    last_modified: str = ""
    fetched_at: str = ""
    aliases: tuple[str, ...] = ()
    missing_runs: int = 0
    missing_reason: str = ""
    first_seen: str = ""
    last_seen: str = ""
    is_unfinished: bool = False
    interval_seconds: float = 0.0
    due_at: float = 0.0
    crawl: str = ""
    lease: int = 0

    @property
    def writer(self) -> WriterLease:
        """By which it was written."""
        return WriterLease(self.crawl, self.lease)

    @property
    def stored_chunks(self) -> tuple[ChunkRecord, ...]:
        """The points that the store has; of what is unfinished those alone that were read back from it."""
        return tuple(each for each in self.chunks if each.checksum or not self.is_unfinished)

    @property
    def is_stored(self) -> bool:
        """Whether the store has it, or a part of it."""
        return not self.is_unfinished or bool(self.stored_chunks)

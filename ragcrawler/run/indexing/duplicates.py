"""Decides which of several pages with the same text is stored; the others become its aliases."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from ragcrawler.catalogue import DocumentCatalogue, DocumentRecord, NearIndex
from ragcrawler.config.crawling.duplicates import DuplicatesConfig
from ragcrawler.frontier.states.protocol import Notes, Status, key64
from ragcrawler.items import Document
from ragcrawler.run.indexing.collection import Collection
from ragcrawler.run.indexing.synchronise import DocumentWrite
from ragcrawler.run.outcomes import NOT_DUE, UNCHANGED

# Session ids and the like may give one page any number of addresses.
MAX_ALIASES = 50
_FOUND_ELSEWHERE = "found_elsewhere"
_DOCUMENTS_AT_ONCE = 64


class Original(NamedTuple):
    """The document that is stored for a text.

    Attributes:
        document_id: its id.
        url: where it was found.
        reason: what another page with its text is skipped for.
    """

    document_id: str
    url: str
    reason: Literal["duplicate_content", "near_duplicate"]


@dataclass(frozen=True, slots=True)
class _Known:
    """The catalogue's knowledge of a document that was just read.

    Attributes:
        own: its record.
        former: the record of the document that its URL was an alias of.
        copy: the record of the oldest document with its text.
    """

    own: DocumentRecord | None
    former: DocumentRecord | None
    copy: DocumentRecord | None


class Duplicates:
    """Decides for each document whether its text is stored already, in this crawl or an earlier one.

    What the collection has stays: the document that was stored first, as long as its page is there. Of pages
    that are new the first to be read is stored; a crawl is breadth first, so that is one next to the start.

    Args:
        collection: of the crawl.
        config: when two texts count as one.
        fate: what became of a URL in this crawl.
        notes: keep which texts were found elsewhere, for a run after a break.
    """

    def __init__(
        self,
        collection: Collection,
        config: DuplicatesConfig,
        fate: Callable[[str], tuple[Status, str] | None],
        notes: Notes,
    ) -> None:
        self._collection = collection
        self._notes = notes
        self._fate = fate
        self._near = NearIndex(config.similarity)
        self._loading: asyncio.Future[None] | None = None
        self._holder: dict[str, str] = {}
        self._url_of: dict[str, str] = {}
        self._aliases: dict[str, set[str]] = {}
        self.load_aliases()

    def load_aliases(self) -> None:
        """Add what other processes found under other addresses, before a break or beside this one."""
        for text in self._notes.texts(_FOUND_ELSEWHERE):
            document_id, original_url, url = json.loads(text)
            self._url_of.setdefault(document_id, original_url)
            self._aliases.setdefault(document_id, set()).add(url)

    def confirm(self, record: DocumentRecord) -> None:
        """A stored page is as it was, and holds its text."""
        self._holder[record.content_hash] = record.document_id
        self._url_of[record.document_id] = record.url

    async def admit(self, document: Document) -> Document | Original:
        """The document with the aliases it has, or the one that is stored instead of it.

        Raises:
            CatalogueError: the catalogue cannot be read.
        """
        await self._load()
        known = await self._collection.with_catalogue(lambda catalogue: _known(catalogue, document))
        original = self._exact(document, known.copy) or await self._nearly(document, known.own)
        if original is not None:
            self._holder[document.content_hash] = original.document_id
            self._aliases.setdefault(original.document_id, set()).add(document.url)
            entry = json.dumps([original.document_id, original.url, document.url])
            self._notes.put(_FOUND_ELSEWHERE, key64(document.url), entry)
            return original
        self._url_of[document.id] = document.url
        if known.former is not None:
            self._aliases.setdefault(known.former.document_id, set())
        return _with_aliases(document, known.own.aliases if known.own else ())

    async def write_aliases(self) -> int:
        """Bring the stored documents in step with their aliases, by their payload alone; how many changed.

        Raises:
            StoreError: one could not be written.
            CatalogueError: the catalogue cannot be read or written.
        """
        ids = list(self._aliases)
        written = 0
        for start in range(0, len(ids), _DOCUMENTS_AT_ONCE):
            batch = ids[start : start + _DOCUMENTS_AT_ONCE]
            written += sum(await asyncio.gather(*(self._write(document_id) for document_id in batch)))
        return written

    async def found_elsewhere(self) -> AsyncIterator[Document]:
        """The stored documents whose text this crawl found, but not at their own address.

        Raises:
            CatalogueError: the catalogue cannot be read.
        """
        for document_id in [each for each, urls in self._aliases.items() if urls]:
            fate, reason = self._fate(self._url_of.get(document_id, "")) or ("open", "")
            if fate != "fetched" and reason != UNCHANGED:
                document = await self._collection.document(document_id)
                if document is not None:
                    yield document

    def _exact(self, document: Document, copy: DocumentRecord | None) -> Original | None:
        holder = self._holder.get(document.content_hash)
        if holder is None and copy is not None and copy.document_id != document.id and self._stands(copy):
            self._url_of.setdefault(copy.document_id, copy.url)
            holder = copy.document_id
        if holder is None or holder == document.id:
            self._holder[document.content_hash] = document.id
            self._url_of[document.id] = document.url
            return None
        return Original(holder, self._url_of[holder], "duplicate_content")

    async def _nearly(self, document: Document, own: DocumentRecord | None) -> Original | None:
        # Entered before it is compared: of two that are compared at the same time one finds the other.
        self._near.put(document.id, document.near_hash)
        for other in self._near.find(document.id, document.near_hash):
            record = await self._record(other)
            url = self._url_of.get(other) or (record.url if record and self._stands(record) else "")
            if url and _outranks(other, record, own):
                self._near.put(document.id, "")
                self._url_of.pop(document.id, None)
                self._url_of.setdefault(other, url)
                return Original(other, url, "near_duplicate")
        return None

    async def _record(self, document_id: str) -> DocumentRecord | None:
        return await self._collection.with_catalogue(lambda catalogue: catalogue.get(document_id))

    def _stands(self, record: DocumentRecord) -> bool:
        """Whether a document that was stored still has its text, as far as this crawl knows."""
        if record.missing_runs or record.is_unfinished:
            return False
        if record.document_id in self._url_of:
            return self._holder.get(record.content_hash) == record.document_id
        fate, reason = self._fate(record.url) or ("open", "")
        return fate in {"open", "fetched"} or reason in {UNCHANGED, NOT_DUE}

    async def _load(self) -> None:
        if self._loading is None:
            self._loading = asyncio.ensure_future(self._loaded())
        await asyncio.shield(self._loading)

    async def _loaded(self) -> None:
        for entry in await self._collection.with_catalogue(lambda catalogue: list(catalogue.near_hashes())):
            self._near.put(entry.document_id, entry.near_hash)

    async def _write(self, document_id: str) -> bool:
        work = await self._collection.with_catalogue(lambda catalogue: self._with_all(catalogue, document_id))
        if work is None:
            return False
        await self._collection.write(work)
        return True

    def _with_all(self, catalogue: DocumentCatalogue, document_id: str) -> DocumentWrite | None:
        """The document with all its aliases; None where it is not stored, or has them."""
        record = catalogue.get(document_id)
        chunks = catalogue.chunks(document_id)
        if record is None or record.is_unfinished or not chunks:
            return None
        aliases = tuple(sorted({*record.aliases, *self._aliases[document_id]} - {record.url})[:MAX_ALIASES])
        if all(chunk.aliases == aliases for chunk in chunks):
            return None
        named = tuple(replace(chunk, aliases=aliases) for chunk in chunks)
        return DocumentWrite(replace(record, aliases=aliases), named)


def _known(catalogue: DocumentCatalogue, document: Document) -> _Known:
    named = catalogue.by_url(document.url)
    own = catalogue.get(document.id)
    former = named if named is not None and named.document_id != document.id else None
    return _Known(own, former, catalogue.by_content_hash(document.content_hash))


def _outranks(other: str, record: DocumentRecord | None, own: DocumentRecord | None) -> bool:
    """Whether a near-duplicate goes before a document: what is stored stays, and the older one first."""
    if own is None:
        return True
    return record is not None and (record.first_seen, other) < (own.first_seen, own.document_id)


def _with_aliases(document: Document, aliases: tuple[str, ...]) -> Document:
    if not aliases:
        return document
    kept = aliases[:MAX_ALIASES]
    return replace(document, chunks=tuple(replace(chunk, aliases=kept) for chunk in document.chunks))

"""Decides which of several pages with the same text is stored; the others become its aliases."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import replace
from typing import Literal, NamedTuple, TypeVar

from ragcrawler.catalogue import DocumentCatalogue, DocumentRecord, TextClaims, TextHolder, TextMatches
from ragcrawler.catalogue.memory_claims import MemoryClaims
from ragcrawler.config.crawling.duplicates import DuplicatesConfig
from ragcrawler.frontier.states.protocol import Notes, Status, key64
from ragcrawler.items import Document
from ragcrawler.run.indexing.collection import Collection
from ragcrawler.run.indexing.synchronise import DocumentWrite
from ragcrawler.run.outcomes import UNCHANGED
from ragcrawler.run.saved_crawls.saved_crawl import FOUND_ELSEWHERE

Result = TypeVar("Result")

# Session ids and the like may give one page any number of addresses.
MAX_ALIASES = 50
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


class _Found(NamedTuple):
    """The URLs at which a text was found besides that of its document, and that one."""

    original_url: str
    urls: set[str]


class Duplicates:
    """Decides for each document whether its text is stored already, in this crawl or an earlier one.

    What the collection has stays: the document that was stored first, as long as its page is there. Of pages
    that are new the first to be read is stored; a crawl is breadth first, so that is one next to the start.

    Args:
        collection: of the crawl.
        config: when two texts count as one.
        fate: what became of a URL in this crawl.
        notes: keep which texts were found elsewhere, for a run after a break and for other workers.
        crawl: the same for all processes that share the crawl, another one for the next crawl.
    """

    def __init__(
        self,
        collection: Collection,
        config: DuplicatesConfig,
        fate: Callable[[str], tuple[Status, str] | None],
        notes: Notes,
        *,
        crawl: str,
    ) -> None:
        self._collection = collection
        self._config = config
        self._fate = fate
        self._notes = notes
        self._crawl = crawl
        self._claims: TextClaims | None = None

    async def admit(self, document: Document) -> Document | Original:
        """The document with the aliases it has, or the one that is stored instead of it.

        Where another page, or another worker, has claimed a text like it in between, it is judged again.

        Raises:
            CatalogueError: the catalogue cannot be read or written.
        """
        while True:
            known = await self._with_claims(lambda claims: claims.look(document))
            original = self._exact(document, known) or self._nearly(known)
            holder = TextHolder(*original[:2]) if original else TextHolder(document.id, document.url)
            if await self._claim(document, holder, known.version):
                break
        if original is not None:
            self._note(original.document_id, original.url, document.url, document.url)
            return original
        if known.former is not None:
            self._note(known.former.document_id, known.former.url, "", document.url)
        return _with_aliases(document, known.own.aliases if known.own else ())

    async def end(self) -> None:
        """Forget the claims of the crawl, and its leases; of several workers the one that ends it does.

        Raises:
            CatalogueError: the catalogue cannot be written.
        """
        await self._with_claims(lambda claims: claims.end())
        await self._collection.with_catalogue(lambda catalogue: catalogue.end_crawl(self._crawl))

    async def write_aliases(self) -> int:
        """Bring the stored documents in step with their aliases, by their payload alone; how many changed.

        Raises:
            StoreError: one could not be written.
            CatalogueError: the catalogue cannot be read or written.
        """
        aliases = self._aliases()
        ids = list(aliases)
        written = 0
        for start in range(0, len(ids), _DOCUMENTS_AT_ONCE):
            batch = ids[start : start + _DOCUMENTS_AT_ONCE]
            written += sum(await asyncio.gather(*(self._write(each, aliases[each].urls) for each in batch)))
        return written

    async def found_elsewhere(self) -> AsyncIterator[Document]:
        """The stored documents whose text this crawl found, but not at their own address.

        Raises:
            CatalogueError: the catalogue cannot be read.
        """
        for document_id, found in self._aliases().items():
            fate, reason = self._fate(found.original_url) or ("open", "")
            if found.urls and fate != "fetched" and reason != UNCHANGED:
                document = await self._collection.document(document_id)
                if document is not None:
                    yield document

    def _exact(self, document: Document, known: TextMatches) -> Original | None:
        holder = known.holder
        if holder is None and known.copy is not None and self._stands(known.copy):
            holder = TextHolder(known.copy.document_id, known.copy.url)
        if holder is None or holder.document_id == document.id:
            return None
        return Original(holder.document_id, holder.url, "duplicate_content")

    def _nearly(self, known: TextMatches) -> Original | None:
        for match in known.near:
            record = match.record
            url = match.url or (record.url if record and self._stands(record) else "")
            if url and _outranks(match.document_id, record, known.own):
                return Original(match.document_id, url, "near_duplicate")
        return None

    def _stands(self, record: DocumentRecord) -> bool:
        """Whether a document that this crawl has not read still has its text, as far as anybody knows."""
        if record.missing_runs or record.is_unfinished:
            return False
        fate, reason = self._fate(record.url) or ("open", "")
        return fate in {"open", "fetched"} or reason == UNCHANGED

    async def _claim(self, document: Document, holder: TextHolder, version: int) -> bool:
        return await self._with_claims(lambda claims: claims.claim(document, holder, version))

    async def _with_claims(self, question: Callable[[TextClaims], Result]) -> Result:
        def ask(catalogue: DocumentCatalogue) -> Result:
            if self._claims is None:
                similarity = self._config.similarity
                self._claims = (
                    MemoryClaims(catalogue, similarity)
                    if self._collection.is_dry
                    else catalogue.text_claims(self._crawl, similarity)
                )
            return question(self._claims)

        return await self._collection.with_catalogue(ask)

    def _note(self, document_id: str, original_url: str, alias: str, url: str) -> None:
        entry = json.dumps([document_id, original_url, alias])
        self._notes.put(FOUND_ELSEWHERE, key64(url), entry)

    def _aliases(self) -> dict[str, _Found]:
        """By document, the URLs at which its text was found, by whichever worker."""
        found: dict[str, _Found] = {}
        for text in self._notes.texts(FOUND_ELSEWHERE):
            document_id, original_url, alias = json.loads(text)
            urls = found.setdefault(document_id, _Found(original_url, set())).urls
            urls.update({alias} - {""})
        return found

    async def _write(self, document_id: str, urls: Iterable[str]) -> bool:
        work = await self._collection.with_catalogue(
            lambda catalogue: _with_all(catalogue, document_id, urls)
        )
        if work is None:
            return False
        await self._collection.write(work)
        return True


def _with_all(catalogue: DocumentCatalogue, document_id: str, urls: Iterable[str]) -> DocumentWrite | None:
    """The document with all its aliases; None where it is not stored, or has them."""
    record = catalogue.get(document_id)
    chunks = catalogue.chunks(document_id)
    if record is None or record.is_unfinished or not chunks:
        return None
    aliases = tuple(sorted({*record.aliases, *urls} - {record.url})[:MAX_ALIASES])
    if all(chunk.aliases == aliases for chunk in chunks):
        return None
    named = tuple(replace(chunk, aliases=aliases) for chunk in chunks)
    return DocumentWrite(replace(record, aliases=aliases), named)


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

"""What the pages of a site share stays out of their chunks, but for one page that keeps it."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ragcrawler.catalogue import DocumentCatalogue, site_of
from ragcrawler.chunking.block_counts import BlockCounts
from ragcrawler.chunking.parsing.markdown_blocks import list_markdown_blocks
from ragcrawler.items import Document, Vectors
from ragcrawler.run.indexing.synchronise import DocumentWrite

if TYPE_CHECKING:
    from ragcrawler.run.resources import CrawlResources

Result = TypeVar("Result")

_BATCH = 64
_MOST_COUNTED = 20_000
_TELLING_SHARE = 0.05
_MOST_SITES = 1_000
# Nobody keeps it: so a block is entered while the documents of a site are mended, and a crawl that was killed
# meanwhile leaves it to the next.
_UNSETTLED = ""


class Settled(NamedTuple):
    """The outcome of a crawl's end.

    Attributes:
        blocks: that are boilerplate on the sites that were looked at.
        documents: cut anew and written.
        failed: that could not be embedded; the next crawl tries again.
    """

    blocks: int = 0
    documents: int = 0
    failed: int = 0


class SiteBlocks:
    """Owns what is known to be boilerplate, by site; the catalogue keeps it between crawls.

    Pages are cut without the blocks that were known when the crawl began. At its end the blocks are counted
    over the stored Markdown of each site, so that neither the order of pages nor the number of workers
    counts, and the documents that were cut otherwise are cut anew. Their Markdown stays whole.

    Args:
        resources: of the crawl.
        share: of a site's pages from which on a block is boilerplate; 0 for never.
        is_running: no once the crawl was interrupted.
    """

    def __init__(self, resources: "CrawlResources", share: float, is_running: Callable[[], bool]) -> None:
        self._resources = resources
        self._share = share
        self._is_running = is_running
        self._known: dict[str, Mapping[str, str]] = {}
        self._read: Counter[str] = Counter()

    async def of(self, document_id: str, url: str) -> frozenset[str]:
        """Hashes of the blocks that a page is cut without.

        Raises:
            CatalogueError: it cannot be read.
        """
        if not self._share:
            return frozenset()
        site = site_of(url)
        self._read[site] += 1
        if site not in self._known:
            if len(self._known) >= _MOST_SITES:
                self._known.pop(next(iter(self._known)))
            self._known[site] = await self._stored(site)
        return _without_kept(self._known[site], document_id)

    async def settle(self, runs: Collection[str] = ()) -> Settled:
        """Count anew on the sites of which this crawl has read enough, and mend what was cut otherwise.

        Args:
            runs: ids of all runs of this crawl, where it has several; they read the pages that they saw last.

        Raises:
            StoreError: a document could not be written.
            CatalogueError: the catalogue cannot be read or written.
        """
        if not self._share or self._resources.collection.is_dry:
            return Settled()
        sites = await self._ask(lambda catalogue: catalogue.sites()) if runs else sorted(self._read)
        settled = [await self._settle(site, runs) for site in sites if self._is_running()]
        return Settled(*map(sum, zip(*settled, strict=True))) if settled else Settled()

    async def _settle(self, site: str, runs: Collection[str]) -> Settled:
        before = await self._stored(site)
        # A crawl that was killed, or could not embed, left such a block.
        if _UNSETTLED not in before.values() and not await self._is_due(site, runs):
            return Settled(len(before))
        ids = await self._ask(lambda catalogue: [each.document_id for each in catalogue.documents(site)])
        counts = BlockCounts(self._share, before)
        for batch in _batches(ids[:_MOST_COUNTED]):
            await asyncio.to_thread(_count, counts, await self._documents(batch))
        after = counts.shared()
        turned = {name for name in {*before, *after} if before.get(name) != after.get(name)}
        if not turned:
            return Settled(len(after))
        await self._store(site, {**before, **dict.fromkeys(turned, _UNSETTLED)})
        mended = [await self._mend(batch, turned, after) for batch in _batches(ids)]
        failed = sum(result.failed for result in mended)
        if self._is_running() and not failed:
            await self._store(site, after)
        return Settled(len(after), sum(result.documents for result in mended), failed)

    async def _is_due(self, site: str, runs: Collection[str]) -> bool:
        """Whether this crawl has read a telling share of a site's pages, in whichever of its runs."""

        def count(catalogue: DocumentCatalogue) -> tuple[int, int]:
            seen = sum(each.last_seen in runs for each in catalogue.documents(site)) if runs else 0
            return seen, catalogue.count(site)

        seen, pages = await self._ask(count)
        return max(seen, self._read[site]) >= _TELLING_SHARE * pages

    async def _mend(self, ids: Sequence[str], turned: set[str], after: Mapping[str, str]) -> Settled:
        if not self._is_running():
            return Settled()
        documents = await self._documents(ids)
        held = await asyncio.to_thread(lambda: [each for each in documents if _holds(each, turned)])
        results = await asyncio.gather(*(self._cut_anew(each, after) for each in held))
        failed = sum(result is None for result in results)
        return Settled(documents=sum(map(bool, results)), failed=failed)

    async def _cut_anew(self, document: Document, after: Mapping[str, str]) -> bool | None:
        """Whether anything of a document had to be written; None where it could not be embedded."""
        shared = _without_kept(after, document.id)
        bare = replace(document, chunks=())
        cut = (await self._resources.chunk(bare, shared)).document
        if (summarizer := self._resources.summarizer) is not None:
            done = await self._resources.summarise(cut, summarizer)
            if done is None:
                return None
            cut = done.document
        aliases = document.chunks[0].aliases if document.chunks else ()
        chunks = tuple(replace(chunk, aliases=aliases) for chunk in cut.chunks)
        known = await self._resources.collection.embed_hashes(document.id)
        new = [chunk for chunk in chunks if known.get(chunk.id) != chunk.embed_hash]
        made = dict(
            zip((chunk.id for chunk in new), (await self._resources.embed(new)).outcomes, strict=False)
        )
        vectors = {each: outcome for each, outcome in made.items() if isinstance(outcome, Vectors)}
        record = await self._ask(lambda catalogue: catalogue.get(document.id))
        if record is None or len(vectors) < len(new):
            return None
        ready = tuple(
            replace(chunk, vectors=vectors[chunk.id]) if chunk.id in vectors else chunk for chunk in chunks
        )
        result = await self._resources.collection.write(DocumentWrite(record, ready))
        return bool(result.new or result.updated or result.removed)

    async def _stored(self, site: str) -> Mapping[str, str]:
        return await self._ask(lambda catalogue: catalogue.shared_blocks(site))

    async def _store(self, site: str, blocks: Mapping[str, str]) -> None:
        await self._ask(lambda catalogue: catalogue.put_shared_blocks(site, blocks))

    async def _documents(self, ids: Sequence[str]) -> list[Document]:
        """Those whose Markdown is known; files of a folder have chunks with lines, and are left alone."""

        def read(catalogue: DocumentCatalogue) -> list[Document]:
            records = filter(None, map(catalogue.get, ids))
            found = [catalogue.document(record) for record in records if not record.is_unfinished]
            return [each for each in found if each is not None and not _is_file(each)]

        return await self._ask(read)

    async def _ask(self, question: Callable[[DocumentCatalogue], Result]) -> Result:
        return await self._resources.collection.with_catalogue(question)


def _count(counts: BlockCounts, documents: Sequence[Document]) -> None:
    for document in documents:
        counts.add(document.id, document.markdown)


def _holds(document: Document, names: set[str]) -> bool:
    return any(block.hash in names for block in list_markdown_blocks(document.markdown))


def _without_kept(blocks: Mapping[str, str], document_id: str) -> frozenset[str]:
    return frozenset(name for name, keeper in blocks.items() if keeper != document_id)


def _is_file(document: Document) -> bool:
    return bool(document.chunks) and bool(document.chunks[0].extra.path)


def _batches(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    return (ids[start : start + _BATCH] for start in range(0, len(ids), _BATCH))

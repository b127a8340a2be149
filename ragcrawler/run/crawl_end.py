"""What is done once, when a crawl has come to its end."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ragcrawler.catalogue import CatalogueError, DocumentCatalogue, TakenOut
from ragcrawler.frontier import Frontier
from ragcrawler.items import Document
from ragcrawler.run.crawl_coverage import CrawlCoverage, was_exhaustive
from ragcrawler.run.indexing.deletion import GoneDocument, SiteDeletion, delete_gone
from ragcrawler.run.indexing.duplicates import Duplicates
from ragcrawler.run.reporting.failures import Failure
from ragcrawler.run.reporting.folder import ids_after, spider_of
from ragcrawler.run.saved_crawls.earlier_runs import earlier_documents
from ragcrawler.stores import StoreError

if TYPE_CHECKING:
    from ragcrawler.run.crawl_run import CrawlRun

_TAKEN_OUT = "taken_out"
# Stats of what was found and not looked at.
_CUT = ("links/cut", "discovery/urls_cut", "discovery/problems/too_large", "discovery/problems/too_many")


class CrawlEnd:
    """Aliases, deletions, and what the feeds still lack.

    Args:
        run: whose resources are open.
        crawler: says whether the crawl was interrupted: who interrupts it wants it to end.
        frontier: knows what became of each URL.
        duplicates: of the crawl.
    """

    def __init__(self, run: "CrawlRun", crawler: Any, frontier: Frontier, duplicates: Duplicates) -> None:
        self._run = run
        self._crawler = crawler
        self._frontier = frontier
        self._duplicates = duplicates

    async def do(self) -> None:
        """Do it; what goes wrong is on the list of what was lost."""
        await self._write_aliases()
        await self._delete_gone()
        await self._tell_taken_out()
        await self._settle_site_blocks()
        await self._deliver_originals()
        await self._deliver_earlier()
        await self._end_claims()

    async def _write_aliases(self) -> None:
        """Enter under which other URLs texts were found; an interrupted crawl leaves it to the next."""
        if not self._crawler.crawling:
            return
        try:
            written = await self._duplicates.write_aliases()
        except (StoreError, CatalogueError) as error:
            place = self._run.configuration.collection_place
            self._run.lose(Failure(place, "aliases", "store_error", type(error).__name__, str(error)))
        else:
            self._crawler.stats.inc_value("ragcrawler/duplicates/documents", written)

    async def _settle_site_blocks(self) -> None:
        """Cut anew what has boilerplate in its chunks; an interrupted crawl leaves it to the next."""
        if not self._crawler.crawling:
            return
        run = self._run
        try:
            has_several = run.earlier_runs or run.shared_crawl
            settled = await run.resources.site_blocks.settle(
                (*run.earlier_runs, run.id) if has_several else ()
            )
        except (StoreError, CatalogueError) as error:
            place = run.configuration.collection_place
            run.lose(Failure(place, "shared_blocks", "store_error", type(error).__name__, str(error)))
        else:
            for name, value in settled._asdict().items():
                self._crawler.stats.inc_value(f"ragcrawler/shared_blocks/{name}", value)

    async def _end_claims(self) -> None:
        """Forget which pages hold which texts: the next crawl decides anew."""
        try:
            await self._duplicates.end()
        except CatalogueError as error:
            place = self._run.configuration.collection_place
            self._run.lose(Failure(place, "duplicates", "store_error", type(error).__name__, str(error)))

    async def _deliver_originals(self) -> None:
        """Give the feeds the documents whose text was found at other addresses alone."""
        found = self._duplicates.found_elsewhere()
        await self._deliver(replace(document, state="unchanged") async for document in found)

    async def _tell_taken_out(self) -> None:
        """Say in feed and report what was taken out since; an interrupted crawl leaves it to the next."""
        if not self._crawler.crawling or self._run.options.is_dry:
            return
        collection = self._run.resources.collection
        try:
            documents = await collection.with_catalogue(self._taken_out)
            await self._deliver(_removed(documents))
            await collection.with_catalogue(
                lambda catalogue: catalogue.forget_taken_out([each.document_id for each in documents])
            )
        except CatalogueError as error:
            place = self._run.configuration.collection_place
            self._run.lose(Failure(place, "feed", "store_error", type(error).__name__, str(error)))
            return
        self._run.deletions += _deletions(documents)

    def _taken_out(self, catalogue: DocumentCatalogue) -> list[TakenOut]:
        """Those that are this crawl's to tell, and those of sites of which nothing is left."""
        sites = set(catalogue.sites())
        return [each for each in catalogue.taken_out() if each.site not in sites or self._tells(each)]

    def _tells(self, document: TakenOut) -> bool:
        contains = self._run.options.contains
        if contains is not None:
            return contains(document.url)
        return spider_of(document.last_seen) == spider_of(self._run.id)

    async def _deliver_earlier(self) -> None:
        """Give the feeds what other runs of the crawl did; an interrupted run leaves it to the next."""
        if self._run.earlier_runs:
            ledger, notes = self._frontier.ledger, self._frontier.state.notes
            collection = self._run.resources.collection
            await self._deliver(earlier_documents(collection, self._run.earlier_runs, notes, ledger.status))

    async def _deliver(self, documents: AsyncIterator[Document]) -> None:
        if self._run.deliver is None or not self._crawler.crawling:
            return
        try:
            async for document in documents:
                self._run.deliver(document)
        except CatalogueError as error:
            place = self._run.configuration.collection_place
            self._run.lose(Failure(place, "feed", "store_error", type(error).__name__, str(error)))

    async def _delete_gone(self) -> None:
        """Delete what is gone, unless the crawl was interrupted: who interrupts it wants it to end."""
        options = self._run.options
        if options.contains is None or not self._crawler.crawling:
            return
        totals = self._frontier.totals.values
        changed_at = self._frontier.kept_out.changed_at(self._frontier.scope)
        links_cut = sum(totals.get(name, 0) for name in _CUT)
        coverage = CrawlCoverage(
            contains=options.contains,
            starts_at_domains=options.starts_at_domains,
            status=self._frontier.ledger.status,
            is_full=was_exhaustive(
                self._frontier.counts(), ran_dry=self._frontier.is_exhausted, links_cut=links_cut
            ),
            crawl=options.crawl,
            incomplete_sites=frozenset(self._frontier.incomplete_sites),
            kept_out_since=ids_after(datetime.fromisoformat(changed_at)) if changed_at else "",
        )
        try:
            self._run.deletions = await delete_gone(
                self._run.resources.collection,
                coverage,
                self._run.configuration.upkeep,
                is_forced=options.is_forced,
            )
            if not options.is_dry:
                await self._run.resources.pictures.remove(
                    [each for site in self._run.deletions for each in site.removed]
                )
        except (StoreError, CatalogueError, OSError) as error:
            place = self._run.configuration.collection_place
            self._run.lose(Failure(place, "delete", "store_error", type(error).__name__, str(error)))


async def _removed(documents: Sequence[TakenOut]) -> AsyncIterator[Document]:
    """What a feed says of documents that were taken out: that they are not there any more."""
    for each in documents:
        yield Document(
            id=each.document_id,
            url=each.url,
            title="",
            language="",
            markdown="",
            content_hash="",
            fetched_at="",
            state="removed",
        )


def _deletions(documents: Sequence[TakenOut]) -> list[SiteDeletion]:
    by_site: dict[str, list[TakenOut]] = {}
    for each in documents:
        by_site.setdefault(each.site, []).append(each)
    return [
        SiteDeletion(
            site=site,
            documents=len(own),
            waiting=(),
            due=tuple(GoneDocument(each.document_id, each.url, _TAKEN_OUT, 0) for each in own),
            chunks=sum(each.chunks for each in own),
        )
        for site, own in by_site.items()
    ]

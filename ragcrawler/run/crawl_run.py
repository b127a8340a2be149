"""One run of a crawl: its folder, its failures, and the resources (workers, models, store)."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from ragcrawler.bootstrap.start_error import StartError, start_errors
from ragcrawler.catalogue import CatalogueError
from ragcrawler.config.configuration import Configuration
from ragcrawler.frontier import Frontier
from ragcrawler.items import Document
from ragcrawler.run.crawl_coverage import CrawlCoverage, was_exhaustive
from ragcrawler.run.crawl_frontier import frontier_of
from ragcrawler.run.crawl_options import CrawlOptions
from ragcrawler.run.earlier_runs import earlier_documents, earlier_failures
from ragcrawler.run.indexing.deletion import SiteDeletion, delete_gone
from ragcrawler.run.indexing.duplicates import Duplicates
from ragcrawler.run.page_counts import PageCounts
from ragcrawler.run.reporting.failures import Failure, FailureList
from ragcrawler.run.reporting.folder import RunFolder
from ragcrawler.run.reporting.stage_times import StageTimes
from ragcrawler.run.resources import CrawlResources
from ragcrawler.run.revisit_plan import plan_revisits
from ragcrawler.run.saved_crawl import SavedCrawl
from ragcrawler.run.steady_clock import CLOCK
from ragcrawler.stores import CollectionModels, StoreError

logger = logging.getLogger(__name__)

_WARNINGS_SHOWN = 100
# What is lost in these stages gave no links.
_READING = {"fetch", "parse"}
# Stats of what was found and not looked at.
_CUT = ("links/cut", "discovery/urls_cut", "discovery/problems/too_large", "discovery/problems/too_many")


class CrawlRun:
    """One crawl: its configuration, folder and failure list, and the resources with the heavy parts.

    Pipelines and extensions take it by `CrawlRun.of(crawler)` when Scrapy makes them: they stay independent
    of each other, and nothing is shared between two crawls of one process. URLs are the frontier's.

    Attributes:
        refusal: why the run could not start, "" if it did.
        options: what it may do to the collection, as its spider was asked.
        deletions: what was found gone.
        points: points in the whole collection, counted when it was closed; None before.
        times: what each stage took.
        page_counts: what was counted for pages in the pipelines.
        saved_crawl: what outlives the process; None where nothing does.
        deliver: takes a document for the feeds that no response brought; None where there is no feed.
    """

    _runs: ClassVar["WeakKeyDictionary[Any, CrawlRun]"] = WeakKeyDictionary()

    def __init__(self, crawler: Any) -> None:
        self.configuration = Configuration.from_settings(crawler.settings)
        options = getattr(crawler.spider, "options", None)  # a spider of another project may have its own
        self.options = options if isinstance(options, CrawlOptions) else CrawlOptions()
        self.times = StageTimes()
        self.page_counts = PageCounts()
        self.folder = RunFolder.named(self.configuration.output_folder, crawler.spidercls.name)
        self.failures = FailureList(self.folder)
        self.refusal = ""
        self.points: int | None = None
        self.deliver: Callable[[Document], None] | None = None
        self.deletions: list[SiteDeletion] = []
        self._crawler = crawler
        self._frontier: Frontier = frontier_of(crawler)
        self._opening = asyncio.Lock()
        self._resources: CrawlResources | None = None
        self._duplicates: Duplicates | None = None
        self._is_closed = False
        self._warned: set[str] = set()
        self.saved_crawl: SavedCrawl | None = getattr(crawler.spider, "saved_crawl", None)
        if self.saved_crawl is not None:
            delay = crawler.settings.getfloat("DOWNLOAD_DELAY")
            self.saved_crawl.begin_run(self.id, self._frontier, delay)
            for name, total in self._frontier.totals.values.items():
                crawler.stats.inc_value(f"ragcrawler/{name}", total)
            self._take_over_failures()

    @classmethod
    def of(cls, crawler: Any) -> "CrawlRun":
        """The run of this crawler, made at the first call."""
        if crawler not in cls._runs:
            cls._runs[crawler] = cls(crawler)
        return cls._runs[crawler]

    @property
    def id(self) -> str:
        """Tells it from other runs; later ones sort behind."""
        return self.folder.path.name

    @property
    def resources(self) -> CrawlResources:
        """The heavy parts.

        Raises:
            RuntimeError: they are not open.
        """
        if self._resources is None:
            raise RuntimeError("the resources are not open: a pipeline opens it before the first page")
        return self._resources

    @property
    def duplicates(self) -> Duplicates:
        """Which of several pages with one text is stored.

        Raises:
            RuntimeError: the resources are not open.
        """
        if self._duplicates is None:
            collection, config = self.resources.collection, self.configuration.duplicates
            ledger, notes = self._frontier.ledger, self._frontier.state.notes
            self._duplicates = Duplicates(collection, config, ledger.status, notes)
        return self._duplicates

    @property
    def summaries_stopped(self) -> str:
        """The message with which the budget stopped the summaries; "" where it did not."""
        summarizer = self._resources.summarizer if self._resources else None
        return str(summarizer.spent or "") if summarizer else ""

    @property
    def collection_models(self) -> CollectionModels | None:
        """The models of the collection; None where no pipeline opened it."""
        return self._resources.collection_models if self._resources else None

    async def open(self) -> None:
        """Open the resources; pipelines open in parallel, and all but the first wait for it.

        Raises:
            StartError: one of the parts cannot be had; the reason is logged once.
        """
        async with self._opening:
            if self.refusal:
                raise StartError(self.refusal)
            if self._resources is None:
                await self._open_resources()

    async def close(self) -> None:
        """Close the resources; Scrapy closes all pipelines, even those that never opened."""
        async with self._opening:
            if self._resources is not None and not self._is_closed:
                self._is_closed = True
                try:
                    await self._write_aliases()
                    await self._delete_gone(self._resources)
                    await self._deliver_originals()
                    await self._deliver_earlier(self._resources)
                finally:
                    self.points = await self._resources.close()

    def skip(self, url: str, reason: str) -> None:
        """Enter a page as left out when its item, which goes on, has come to its end."""
        self._frontier.effects.skip_at_end(url, reason)

    def lose(self, failure: Failure) -> None:
        """Enter a page as failed."""
        self._frontier.lose(failure.url, failure.reason, hides_links=failure.stage in _READING)
        before = self.options.attempts.get(failure.url, 0)
        self.failures.add(replace(failure, attempts=failure.attempts + before))
        logger.warning("Lost %s: %s: %s", failure.url, failure.reason, failure.message)

    @property
    def earlier_runs(self) -> tuple[str, ...]:
        """Ids of the runs of this crawl that were broken off."""
        return self.saved_crawl.runs if self.saved_crawl is not None else ()

    def _take_over_failures(self) -> None:
        folders = [self.folder.path.with_name(run) for run in self.earlier_runs]
        for failure in earlier_failures(folders, self._frontier.ledger.status):
            self.failures.add(failure)

    def note_unfinished(self, url: str) -> None:
        """Put a URL that the user named, and that was not tried to the end, on the list for a retry."""
        before = self.options.attempts.get(url, 0)
        message = "the crawl ended before this URL was done"
        self.failures.add(Failure(url, "fetch", "not_finished", "", message, attempts=before))

    def warn(self, warning: str, url: str) -> None:
        """Log what a conversion lost or guessed, each sentence once a run; the documents keep all of them."""
        if warning not in self._warned and len(self._warned) < _WARNINGS_SHOWN:
            self._warned.add(warning)
            logger.warning("%s: %s", url, warning)

    async def _write_aliases(self) -> None:
        """Enter under which other URLs texts were found; an interrupted crawl leaves it to the next."""
        if self._duplicates is None or not self._crawler.crawling:
            return
        try:
            written = await self._duplicates.write_aliases()
        except (StoreError, CatalogueError) as error:
            place = self.configuration.collection_place
            self.lose(Failure(place, "aliases", "store_error", type(error).__name__, str(error)))
        else:
            self._crawler.stats.inc_value("ragcrawler/duplicates/documents", written)

    async def _deliver_originals(self) -> None:
        """Give the feeds the documents whose text was found at other addresses alone."""
        if self.deliver is None or self._duplicates is None or not self._crawler.crawling:
            return
        try:
            async for document in self._duplicates.found_elsewhere():
                self.deliver(replace(document, state="unchanged"))
        except CatalogueError as error:
            place = self.configuration.collection_place
            self.lose(Failure(place, "feed", "store_error", type(error).__name__, str(error)))

    async def _deliver_earlier(self, resources: CrawlResources) -> None:
        """Give the feeds what earlier runs of the crawl did; an interrupted run leaves it to the next."""
        if self.deliver is None or not self.earlier_runs or not self._crawler.crawling:
            return
        ledger, notes = self._frontier.ledger, self._frontier.state.notes
        try:
            async for document in earlier_documents(
                resources.collection, self.earlier_runs, notes, ledger.status
            ):
                self.deliver(document)
        except CatalogueError as error:
            place = self.configuration.collection_place
            self.lose(Failure(place, "feed", "store_error", type(error).__name__, str(error)))

    async def _delete_gone(self, resources: CrawlResources) -> None:
        """Delete what is gone, unless the crawl was interrupted: who interrupts it wants it to end."""
        options = self.options
        if options.contains is None or not self._crawler.crawling:
            return
        stats = self._crawler.stats
        links_cut = sum(stats.get_value(f"ragcrawler/{name}", 0) for name in _CUT)
        coverage = CrawlCoverage(
            contains=options.contains,
            starts_at_domains=options.starts_at_domains,
            status=self._frontier.ledger.status,
            is_full=was_exhaustive(
                self._frontier.counts(), ran_dry=self._frontier.is_exhausted, links_cut=links_cut
            ),
            crawl=options.crawl,
            incomplete_sites=frozenset(self._frontier.incomplete_sites),
        )
        try:
            self.deletions = await delete_gone(
                resources.collection, coverage, self.configuration.upkeep, is_forced=options.is_forced
            )
            if not options.is_dry:
                await resources.pictures.remove([each for site in self.deletions for each in site.removed])
        except (StoreError, CatalogueError, OSError) as error:
            place = self.configuration.collection_place
            self.lose(Failure(place, "delete", "store_error", type(error).__name__, str(error)))

    async def _open_resources(self) -> None:
        try:
            self._resources = await CrawlResources.open(
                self.configuration,
                is_running=lambda: bool(self._crawler.crawling),
                times=self.times,
                is_dry=self.options.is_dry,
            )
            if self.options.asks_for_due:
                collection, now = self._resources.collection, CLOCK.now().timestamp()
                with start_errors():
                    await plan_revisits(self._frontier, collection, self.options, now)
        except StartError as error:
            self.refusal = str(error)
            logger.error("%s", error)  # noqa: TRY400 - a message for the user, who has no use for a stack trace
            raise

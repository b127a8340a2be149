"""What the adapters of one crawl share."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from ragcrawler.bootstrap.start_error import StartError
from ragcrawler.catalogue import CatalogueError, site_of
from ragcrawler.config.configuration import Configuration
from ragcrawler.config.politeness import PolitenessConfig
from ragcrawler.config.web_access import WebAccessConfig
from ragcrawler.items import Document
from ragcrawler.run.indexing.deletion import SiteDeletion, delete_gone
from ragcrawler.run.indexing.duplicates import Duplicates
from ragcrawler.run.orders import Orders
from ragcrawler.run.paces import Paces
from ragcrawler.run.reporting.failures import Failure, FailureList
from ragcrawler.run.reporting.folder import RunFolder
from ragcrawler.run.reporting.stage_times import StageTimes
from ragcrawler.run.reporting.trace import UrlTrace
from ragcrawler.run.resources import CrawlResources
from ragcrawler.run.robots_lookup import RobotsLookup
from ragcrawler.run.survey import Survey, ended_full
from ragcrawler.stores import CollectionModels, StoreError
from ragcrawler.urls.ledger import UrlLedger

logger = logging.getLogger(__name__)

_WARNINGS_SHOWN = 100
# What is lost in these stages gave no links.
_READING = {"fetch", "parse"}
# Stats of what was found and not looked at.
_CUT = ("links/cut", "discovery/urls_cut", "discovery/problems/too_large", "discovery/problems/too_many")


class CrawlRun:
    """One crawl: its configuration, ledger and failure list, and the resources with the heavy parts.

    Spider, pipelines and extensions reach it through `CrawlRun.of(crawler)`: they stay independent of each
    other, and nothing is shared between two crawls of one process.

    Attributes:
        refusal: why the run could not start, "" if it did.
        orders: what it was asked to do with what it finds; its spider sets them.
        has_run_dry: whether nothing was left to fetch.
        blind_sites: where a page could not be fetched.
        deletions: what was found gone.
        points: points in the whole collection, counted when it was closed; None before.
        trace: writes what became of each URL; None where nobody asked for it.
        robots: asks robots.txt; None where no middleware does.
        paces: how fast each site may be asked.
        times: what each stage took.
        deliver: takes a document for the feeds that no response brought; None where there is no feed.
    """

    _runs: ClassVar["WeakKeyDictionary[Any, CrawlRun]"] = WeakKeyDictionary()

    def __init__(self, crawler: Any) -> None:
        self.configuration = Configuration.from_settings(crawler.settings)
        self.paces = Paces()
        self.times = StageTimes()
        self.folder = RunFolder.named(self.configuration.output_folder, crawler.spidercls.name)
        self.ledger = UrlLedger()
        self.trace: UrlTrace | None = None
        self.failures = FailureList(self.folder)
        self.refusal = ""
        self.points: int | None = None
        self.robots: RobotsLookup | None = None
        self.orders = Orders()
        self.has_run_dry = False
        self.deliver: Callable[[Document], None] | None = None
        self.blind_sites: set[str] = set()
        self.deletions: list[SiteDeletion] = []
        self._crawler = crawler
        self._opening = asyncio.Lock()
        self._resources: CrawlResources | None = None
        self._duplicates: Duplicates | None = None
        self._is_closed = False
        self._warned: set[str] = set()

    @classmethod
    def of(cls, crawler: Any) -> "CrawlRun":
        """The run of this crawler, made at the first call."""
        if crawler not in cls._runs:
            cls._runs[crawler] = cls(crawler)
        return cls._runs[crawler]

    # These two are read by our spider and middlewares: another project may have neither.
    @cached_property
    def politeness(self) -> PolitenessConfig:
        """How it obeys, waits and gives up."""
        return PolitenessConfig.from_settings(self._crawler.settings)

    @cached_property
    def web(self) -> WebAccessConfig:
        """How far a site is followed."""
        return WebAccessConfig.from_settings(self._crawler.settings)

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
            self._duplicates = Duplicates(collection, config, self.ledger.fate)
        return self._duplicates

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
                self._resources = await self._opened()

    async def close(self) -> None:
        """Close the resources; Scrapy closes all pipelines, even those that never opened."""
        async with self._opening:
            if self._resources is not None and not self._is_closed:
                self._is_closed = True
                try:
                    await self._write_aliases()
                    await self._delete_gone(self._resources)
                    await self._deliver_originals()
                finally:
                    self.points = await self._resources.close()

    def lose(self, failure: Failure) -> None:
        """Enter a page as failed."""
        if failure.stage in _READING:
            self.blind_sites.add(site_of(failure.url))
        self.ledger.failed(failure.url, failure.reason)
        before = self.orders.attempts.get(failure.url, 0)
        self.failures.add(replace(failure, attempts=failure.attempts + before))
        logger.warning("Lost %s: %s: %s", failure.url, failure.reason, failure.message)

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

    async def _delete_gone(self, resources: CrawlResources) -> None:
        """Delete what is gone, unless the crawl was interrupted: who interrupts it wants it to end."""
        orders = self.orders
        if orders.contains is None or not self._crawler.crawling:
            return
        stats = self._crawler.stats
        links_cut = sum(stats.get_value(f"ragcrawler/{name}", 0) for name in _CUT)
        survey = Survey(
            contains=orders.contains,
            fate=self.ledger.fate,
            is_full=ended_full(self.ledger.counts(), ran_dry=self.has_run_dry, links_cut=links_cut),
            crawl=orders.crawl,
            blind_sites=self.blind_sites,
        )
        try:
            self.deletions = await delete_gone(
                resources.collection, survey, self.configuration.upkeep, is_forced=orders.is_forced
            )
            if not orders.is_dry:
                await resources.remove_pictures([each for site in self.deletions for each in site.removed])
        except (StoreError, CatalogueError, OSError) as error:
            place = self.configuration.collection_place
            self.lose(Failure(place, "delete", "store_error", type(error).__name__, str(error)))

    async def _opened(self) -> CrawlResources:
        try:
            return await CrawlResources.open(
                self.configuration,
                is_running=lambda: bool(self._crawler.crawling),
                times=self.times,
                is_dry=self.orders.is_dry,
            )
        except StartError as error:
            self.refusal = str(error)
            logger.error("%s", error)  # noqa: TRY400 - a message for the user, who has no use for a stack trace
            raise

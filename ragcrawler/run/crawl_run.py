"""One run of a crawl: its folder, its failures, and the resources (workers, models, store)."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import replace
from datetime import UTC, datetime
from socket import gethostname
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakKeyDictionary

from ragcrawler.bootstrap.start_error import StartError, start_errors
from ragcrawler.catalogue import NO_WRITER, CatalogueError, WriterLease
from ragcrawler.config.configuration import Configuration
from ragcrawler.frontier import Frontier
from ragcrawler.items import Document, Page
from ragcrawler.run.crawl_end import CrawlEnd
from ragcrawler.run.crawl_frontier import frontier_of
from ragcrawler.run.crawl_options import CrawlOptions
from ragcrawler.run.indexing.deletion import SiteDeletion
from ragcrawler.run.indexing.duplicates import Duplicates
from ragcrawler.run.outcomes import SHUTDOWN
from ragcrawler.run.pages.rendered_page import RenderedPage, WeakPageRenderer
from ragcrawler.run.reporting.activity import CrawlActivity
from ragcrawler.run.reporting.failures import Failure, FailureList
from ragcrawler.run.reporting.folder import RunFolder
from ragcrawler.run.reporting.report import own_stats
from ragcrawler.run.reporting.stage_times import StageTimes
from ragcrawler.run.reporting.worker_result import CrawlWorker, WorkerResult
from ragcrawler.run.revisit_plan import plan_revisits
from ragcrawler.run.saved_crawls.earlier_runs import earlier_failures
from ragcrawler.run.saved_crawls.saved_crawl import SavedCrawl
from ragcrawler.run.saved_crawls.state_loss import StateLoss
from ragcrawler.run.steady_clock import CLOCK
from ragcrawler.stores import CollectionModels, StoreError

if TYPE_CHECKING:
    from ragcrawler.run.resources import CrawlResources
    from ragcrawler.run.sharing.shared_crawl import SharedCrawl

logger = logging.getLogger(__name__)

_WARNINGS_SHOWN = 100
# What is lost in these stages gave no links.
_READING = {"fetch", "parse"}


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
        activity: what was seen page by page, in bounded memory.
        page_counts: what was counted for pages in the pipelines.
        started: when.
        saved_crawl: what outlives the process; None where nothing does.
        shared_crawl: the same where other processes work on it too; else None.
        weak_pages: renders pages whose content was hardly found; None where no page is rendered.
        deliver: takes a document for the feeds that no response brought; None where there is no feed.
    """

    _runs: ClassVar["WeakKeyDictionary[Any, CrawlRun]"] = WeakKeyDictionary()

    def __init__(self, crawler: Any) -> None:
        self.configuration = Configuration.from_settings(crawler.settings)
        options = getattr(crawler.spider, "options", None)  # a spider of another project may have its own
        self.options = options if isinstance(options, CrawlOptions) else CrawlOptions()
        self.times, self.activity = StageTimes(), CrawlActivity()
        self.page_counts = PageCounts()
        self.folder = RunFolder.named(self.configuration.output_folder, crawler.spidercls.name)
        self.failures = FailureList(self.folder)
        self.refusal = ""
        self.points: int | None = None
        self.deliver: Callable[[Document], None] | None = None
        self.weak_pages: WeakPageRenderer | None = None
        self.deletions: list[SiteDeletion] = []
        self._crawler = crawler
        self._frontier: Frontier = frontier_of(crawler)
        self._opening = asyncio.Lock()
        self._resources: CrawlResources | None = None
        self._duplicates: Duplicates | None = None
        self._is_closed = False
        self._warned: set[str] = set()
        self.started = datetime.now(UTC)
        self._began = time.monotonic()
        self.saved_crawl: SavedCrawl | SharedCrawl | None = getattr(crawler.spider, "saved_crawl", None)
        self.shared_crawl: SharedCrawl | None = (
            self.saved_crawl.shared if self.saved_crawl is not None else None
        )
        if self.saved_crawl is not None:
            self._begin(self.saved_crawl)

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
    def resources(self) -> "CrawlResources":
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
            # One that goes on after a break has the claims of its state; a crawl of one process decides anew.
            crawl = self.shared_crawl.state.crawl if self.shared_crawl else self.id
            self._duplicates = Duplicates(collection, config, ledger.status, notes, crawl=crawl)
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
            StartError: one of the parts cannot be opened; the reason is logged once.
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
                    if await self._ends_crawl():
                        await CrawlEnd(self, self._crawler, self._frontier, self.duplicates).do()
                finally:
                    await self._close_resources(self._resources)

    @property
    def elapsed_seconds(self) -> float:
        """Since the run began."""
        return round(time.monotonic() - self._began, 3)

    @property
    def writes_report(self) -> bool:
        """Whether this run ends the crawl, or breaks it off, for all who work on it."""
        return self.shared_crawl is None or self.shared_crawl.role in (None, "ends", "stops")

    async def render_weak(self, page: Page, quality: float) -> RenderedPage | None:
        """Have a browser run the scripts of a page whose content was hardly found; None where it does not."""
        weak = self.weak_pages
        return await weak.render(page) if weak is not None and quality < weak.min_quality else None

    def end_weak(self, rendered: RenderedPage, *, gained: bool) -> None:
        """Enter whether the rendering of a weak page was the better page; if so, its links are followed."""
        if self.weak_pages is not None:
            self.weak_pages.learn(rendered.page, gained=gained)
        if gained:
            self._frontier.effects.add_links(rendered.page.final_url, rendered.links)

    def writer_of(self, url: str) -> WriterLease:
        """By what a page in the pipelines is written to the catalogue."""
        if self.shared_crawl is None:
            return NO_WRITER
        return WriterLease(self.shared_crawl.state.crawl, self._frontier.effects.lease_of(url))

    def has_lease(self, url: str) -> bool:
        """Whether a page in the pipelines is this worker's still, as far as it knows."""
        lease = self._frontier.effects.lease_of(url)
        return not lease or self._frontier.queue.has_lease(lease, self._frontier.clock())

    def skip(self, url: str, reason: str) -> None:
        """Enter a page as left out when its item, which goes on, has come to its end."""
        self._frontier.effects.skip_at_end(url, reason)

    def lose(self, failure: Failure, lease: int = 0) -> None:
        """Enter a page as failed.

        Args:
            failure: of the page.
            lease: by which it was asked for; 0 where nobody else can have it.

        Raises:
            LeaseLostError: another worker has it by now: it is not lost.
        """
        hides_links = failure.stage in _READING
        self._frontier.lose(failure.url, failure.reason, hides_links=hides_links, lease=lease)
        before = self.options.attempts.get(failure.url, 0)
        failure = replace(failure, attempts=failure.attempts + before)
        self.failures.add(failure)
        if self.shared_crawl is not None:
            self.shared_crawl.note_failure(failure)
        logger.warning("Lost %s: %s: %s", failure.url, failure.reason, failure.message)

    @property
    def earlier_runs(self) -> tuple[str, ...]:
        """Ids of the runs of this crawl that were broken off."""
        return self.saved_crawl.runs if self.saved_crawl is not None else ()

    def _begin(self, crawl: "SavedCrawl | SharedCrawl") -> None:
        crawl.begin_run(self.id, self._frontier, self._crawler.settings.getfloat("DOWNLOAD_DELAY"))
        if self.shared_crawl is None:
            for name, total in self._frontier.totals.values.items():
                self._crawler.stats.inc_value(f"ragcrawler/{name}", total)
            folders = [self.folder.path.with_name(run) for run in self.earlier_runs]
            self._take_over(earlier_failures(folders, self._frontier.ledger.status))

    def _take_over(self, failures: Iterable[Failure]) -> None:
        for failure in failures:
            self.failures.add(failure)

    async def _close_resources(self, resources: "CrawlResources") -> None:
        """Close them; a collection that cannot be closed in order may lack what was written last."""
        try:
            self.points = await resources.close(is_last=self.writes_report)
        except (StoreError, CatalogueError) as error:
            place = self.configuration.collection_place
            self.lose(Failure(place, "close", "store_error", type(error).__name__, str(error)))

    async def _ends_crawl(self) -> bool:
        """Whether what is done once a crawl is this run's to do; of several workers the last one's."""
        shared = self.shared_crawl
        if shared is None:
            return True
        role = await shared.come_to_end(self._result(), lambda: bool(self._crawler.crawling))
        if shared.loss is not None:
            StateLoss.of(self._crawler).note(shared.loss)
        if role in ("ends", "stops"):
            self._take_over(shared.failures_of_others())
        return role == "ends"

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

    def _result(self) -> WorkerResult:
        end = "finished" if self._frontier.is_exhausted else "stopped"
        worker = CrawlWorker(
            self.id,
            gethostname(),
            self.started.isoformat(timespec="seconds"),
            self.elapsed_seconds,
            end if self._crawler.crawling else SHUTDOWN,
        )
        stats = own_stats(self._crawler.stats.get_stats())
        return WorkerResult(worker, stats, self.times.all(), self.activity.to_json())

    async def _open_resources(self) -> None:
        from ragcrawler.run.resources import CrawlResources  # models and workers: not before they are needed

        try:
            async with self.shared_crawl.opening() if self.shared_crawl else nullcontext(True) as is_first:
                self._resources = await CrawlResources.open(
                    self.configuration,
                    is_running=lambda: bool(self._crawler.crawling),
                    times=self.times,
                    is_dry=self.options.is_dry,
                    is_first=is_first,
                )
                if self.shared_crawl:
                    crawl = self.shared_crawl.state.crawl
                    with start_errors():
                        await self._resources.collection.with_catalogue(lambda each: each.begin_crawl(crawl))
                with start_errors():
                    self._frontier.kept_out = await self._resources.collection.kept_out()
                if self.options.asks_for_due and is_first:
                    collection, now = self._resources.collection, CLOCK.now().timestamp()
                    with start_errors():
                        await plan_revisits(self._frontier, collection, self.options, now)
        except StartError as error:
            self.refusal = str(error)
            logger.error("%s", error)  # noqa: TRY400 - a message for the user, who has no use for a stack trace
            raise


_page: ContextVar[str] = ContextVar("_page", default="")


class PageCounts:
    """The counts of a page that a break ends are not those of the crawl: a later run counts it anew."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str]] = {}

    @contextmanager
    def counting(self, page_id: str) -> Iterator[None]:
        """Count for this page within the block, and in what the block awaits."""
        token = _page.set(page_id)
        try:
            yield
        finally:
            _page.reset(token)

    def add(self, name: str, amount: int) -> None:
        """Count for the page of the block, if there is one."""
        if page_id := _page.get():
            self._counts.setdefault(page_id, Counter())[name] += amount

    def pop(self, page_id: str) -> Mapping[str, int]:
        """The counts of a page, which are forgotten."""
        return self._counts.pop(page_id, {})

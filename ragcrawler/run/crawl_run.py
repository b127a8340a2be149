"""What the adapters of one crawl share."""

import asyncio
import logging
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from ragcrawler.bootstrap.configuration import Configuration
from ragcrawler.bootstrap.politeness import PolitenessConfig
from ragcrawler.bootstrap.start_error import StartError
from ragcrawler.run.failures import Failure, FailureList
from ragcrawler.run.folder import RunFolder
from ragcrawler.run.paces import Paces
from ragcrawler.run.robots_lookup import RobotsLookup
from ragcrawler.run.workshop import Workshop
from ragcrawler.urls.ledger import UrlLedger

logger = logging.getLogger(__name__)

_WARNINGS_SHOWN = 100


class CrawlRun:
    """One crawl: its configuration, ledger and failure list, and the workshop with the heavy parts.

    Spider, pipelines and extensions reach it through `CrawlRun.of(crawler)`: they stay independent of each
    other, and nothing is shared between two crawls of one process.

    Attributes:
        refusal: why the run could not start, "" if it did.
        is_dry: whether it only says what it would write.
        points: points in the whole collection, counted when it was closed; None before.
        robots: asks robots.txt; None where no middleware does.
        politeness: how it obeys, waits and gives up.
        paces: how fast each site may be asked.
    """

    _runs: ClassVar["WeakKeyDictionary[Any, CrawlRun]"] = WeakKeyDictionary()

    def __init__(self, crawler: Any) -> None:
        self.configuration = Configuration.from_settings(crawler.settings)
        self.politeness = PolitenessConfig.from_settings(crawler.settings)
        self.paces = Paces()
        self.folder = RunFolder.named(self.configuration.output_folder, crawler.spidercls.name)
        self.ledger = UrlLedger()
        self.failures = FailureList(self.folder)
        self.refusal = ""
        self.points: int | None = None
        self.robots: RobotsLookup | None = None
        self.is_dry = False
        self._crawler = crawler
        self._opening = asyncio.Lock()
        self._workshop: Workshop | None = None
        self._is_closed = False
        self._warned: set[str] = set()

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
    def workshop(self) -> Workshop:
        """The heavy parts.

        Raises:
            RuntimeError: they are not open.
        """
        if self._workshop is None:
            raise RuntimeError("the workshop is not open: a pipeline opens it before the first page")
        return self._workshop

    async def open(self) -> None:
        """Open the workshop; pipelines open in parallel, and all but the first wait for it.

        Raises:
            StartError: one of the parts cannot be had; the reason is logged once.
        """
        async with self._opening:
            if self.refusal:
                raise StartError(self.refusal)
            if self._workshop is None:
                self._workshop = await self._opened()

    async def close(self) -> None:
        """Close the workshop; Scrapy closes all pipelines, even those that never opened."""
        async with self._opening:
            if self._workshop is not None and not self._is_closed:
                self._is_closed = True
                self.points = await self._workshop.close()

    def lose(self, failure: Failure) -> None:
        """Enter a page as failed."""
        self.ledger.failed(failure.url, failure.reason)
        self.failures.add(failure)
        logger.warning("Lost %s: %s: %s", failure.url, failure.reason, failure.message)

    def warn(self, warning: str, url: str) -> None:
        """Log what a conversion lost or guessed, each sentence once a run; the documents keep all of them."""
        if warning not in self._warned and len(self._warned) < _WARNINGS_SHOWN:
            self._warned.add(warning)
            logger.warning("%s: %s", url, warning)

    async def _opened(self) -> Workshop:
        try:
            return await Workshop.open(
                self.configuration,
                is_running=lambda: bool(self._crawler.crawling),
                is_dry=self.is_dry,
            )
        except StartError as error:
            self.refusal = str(error)
            logger.error("%s", error)  # noqa: TRY400 - a message for the user, who has no use for a stack trace
            raise

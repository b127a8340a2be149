"""What the adapters of one crawl share."""

import logging
from typing import Any
from weakref import WeakKeyDictionary

from ragcrawler.bootstrap.configuration import Configuration
from ragcrawler.run.failures import Failure, FailureList
from ragcrawler.run.folder import RunFolder
from ragcrawler.run.workshop import Workshop
from ragcrawler.urls.ledger import UrlLedger

logger = logging.getLogger(__name__)

_WARNINGS_SHOWN = 100


class CrawlRun:
    """One crawl: its configuration, ledger, failure list, and the workshop with the heavy parts.

    Spider, pipelines and extensions reach it through `CrawlRun.of(crawler)`: they stay independent of each
    other, and nothing is shared between two crawls of one process.
    """

    _runs: "WeakKeyDictionary[Any, CrawlRun]" = WeakKeyDictionary()

    def __init__(self, crawler: Any) -> None:
        self.configuration = Configuration.from_settings(crawler.settings)
        self.folder = RunFolder.named(self.configuration.output_folder, crawler.spidercls.name)
        self.ledger = UrlLedger()
        self.failures = FailureList(self.folder)
        self.workshop = Workshop(self.configuration, is_running=lambda: bool(crawler.crawling))
        self.refusal = ""
        self._warned: set[str] = set()

    @classmethod
    def of(cls, crawler: Any) -> "CrawlRun":
        """The run of this crawler, made at the first call."""
        if crawler not in cls._runs:
            cls._runs[crawler] = cls(crawler)
        return cls._runs[crawler]

    def lose(self, failure: Failure) -> None:
        """Enter a page as failed."""
        self.ledger.failed(failure.url, failure.reason)
        self.failures.add(failure)

    def warn(self, warning: str, url: str) -> None:
        """Log what a conversion lost or guessed, each sentence once a run; the documents keep all of them."""
        if warning not in self._warned and len(self._warned) < _WARNINGS_SHOWN:
            self._warned.add(warning)
            logger.warning("%s: %s", url, warning)

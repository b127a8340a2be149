"""The end of a crawl whose state cannot be used any more."""

import asyncio
import logging
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from ragcrawler.frontier.states.sqlite import FrontierStateError

logger = logging.getLogger(__name__)

# Through these come the errors that were not caught.
_LOGGERS = (
    "asyncio",
    "scrapy.core.downloader",
    "scrapy.core.engine",
    "scrapy.core.scheduler",
    "scrapy.core.scraper",
    "scrapy.utils.asyncio",
    "scrapy.utils.signal",
    "twisted",
)


class StateLoss:
    """Stops the crawl at the first error of its state, and says so once, without a stack trace.

    The state is asked by timers, signal handlers, pipelines and callbacks: after a full disk, or with a Redis
    that stays away, each of them fails. What they raise would be logged by Scrapy or asyncio.

    Attributes:
        is_noted: whether there was one.
    """

    _losses: ClassVar[WeakKeyDictionary[Any, "StateLoss"]] = WeakKeyDictionary()

    def __init__(self, crawler: Any) -> None:
        self._crawler = crawler
        self.is_noted = False

    @classmethod
    def of(cls, crawler: Any) -> "StateLoss":
        """That of this crawler, made at the first call."""
        if crawler not in cls._losses:
            cls._losses[crawler] = cls(crawler)
        return cls._losses[crawler]

    def note(self, error: FrontierStateError) -> None:
        """Stop the crawl where it still runs: what is written is whole, and a later run goes on."""
        if self.is_noted:
            return
        self.is_noted = True
        logger.error("The crawl stops: %s", error)
        engine = self._crawler._engine  # None before the crawl began, where `engine` raises
        slot = engine._slot if engine else None
        if slot is not None and slot.closing is None:
            asyncio.ensure_future(self._crawler.stop_async())  # noqa: RUF006 - the engine waits for its end

    def watch(self) -> None:
        """Take such errors out of what others log."""
        for name in _LOGGERS:
            logging.getLogger(name).addFilter(self._is_other)

    def unwatch(self) -> None:
        """Let others log again what they want."""
        for name in _LOGGERS:
            logging.getLogger(name).removeFilter(self._is_other)

    def _is_other(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, FrontierStateError):
            return True
        self.note(error)
        return False

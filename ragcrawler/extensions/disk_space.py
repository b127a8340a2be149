"""Ends a crawl while there is still room on the disk for its report."""

import logging
from pathlib import Path
from typing import Any

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.defer import deferred_from_coro

from ragcrawler.config.configuration import Configuration
from ragcrawler.run.outcomes import DISK_FULL
from ragcrawler.stores import DiskFullError, FreeSpace

logger = logging.getLogger(__name__)

_LOOK_SECONDS = 1.0


class DiskSpaceExtension:
    """Looks at the disks of the output folder and of the collection, every second.

    What is in the pipelines then is stored as long as the store takes it; all other URLs are skipped as
    `disk_full`.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        configuration = Configuration.from_settings(crawler.settings)
        folders: list[Path] = [configuration.output_folder]
        if not configuration.store.url:
            folders.append(configuration.store.folder)
        self._rooms = [FreeSpace(folder, configuration.store.reserve_bytes) for folder in folders]
        self._call = create_looping_call(self.look)
        self._has_ended = False
        self._closing: Any = None  # held, or it might be collected under way
        crawler.signals.connect(self._begin, signal=signals.spider_opened)
        crawler.signals.connect(self._end, signal=signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "DiskSpaceExtension":
        return cls(crawler)

    def look(self) -> None:
        """End the crawl if there is no room left."""
        if self._has_ended:
            return
        try:
            for room in self._rooms:
                room.require()
        except DiskFullError as error:
            self._has_ended = True
            logger.error("The crawl ends: %s", error)  # noqa: TRY400 - for the user, without a stack trace
            self._closing = deferred_from_coro(self._crawler.engine.close_spider_async(reason=DISK_FULL))

    def _begin(self) -> None:
        self._call.start(_LOOK_SECONDS, now=False)

    def _end(self) -> None:
        if self._call.running:
            self._call.stop()

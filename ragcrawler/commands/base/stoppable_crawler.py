"""A crawler that ends in order however early it is stopped."""

import asyncio
from typing import Any

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.settings import Settings

from ragcrawler.run.outcomes import SHUTDOWN


class StoppableCrawler(Crawler):
    """Scrapy's own is cut off where it is stopped while its pipelines open: it closes and reports nothing.

    Whoever stops this one waits for its end, unless they end the process.
    """

    def __init__(self, spidercls: type[Spider], settings: Settings | dict[str, Any] | None = None) -> None:
        super().__init__(spidercls, settings)
        self._has_ended = asyncio.Event()
        self.signals.connect(self._end_if_stopped, signal=signals.spider_opened)

    async def crawl_async(self, *args: Any, **kwargs: Any) -> None:
        """Crawl to the end."""
        try:
            await super().crawl_async(*args, **kwargs)
        finally:
            self._has_ended.set()

    async def stop_async(self) -> None:
        """Stop as soon as everything is open, if it is not."""
        engine = self._engine
        # The engine calls this too, when it has closed its spider.
        if not self.crawling or engine is None or engine.running or engine.spider is None:
            await super().stop_async()
            return
        self.crawling = False
        if engine._starting:
            await engine.stop_async()
        await self._has_ended.wait()

    def _end_if_stopped(self) -> None:
        if not self.crawling:
            raise CloseSpider(SHUTDOWN)

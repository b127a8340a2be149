"""Watches for errors of the crawl's state, wherever they come out."""

from scrapy import signals
from scrapy.crawler import Crawler

from ragcrawler.run.saved_crawls.state_loss import StateLoss


class StateLossExtension:
    """Watches from the first signal of the engine to its last; see `StateLoss`."""

    def __init__(self, crawler: Crawler) -> None:
        loss = StateLoss.of(crawler)
        crawler.signals.connect(loss.watch, signal=signals.engine_started, weak=False)
        crawler.signals.connect(loss.unwatch, signal=signals.engine_stopped, weak=False)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "StateLossExtension":
        return cls(crawler)

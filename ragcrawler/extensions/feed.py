"""The feeds of a crawl: where the default one goes, and which documents they hold."""

from typing import Any, Self, cast

from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.extensions.feedexport import FeedExporter

from ragcrawler.config.configuration import Configuration
from ragcrawler.items import Document
from ragcrawler.run.crawl_run import CrawlRun


def uri_parameters(parameters: dict[str, Any], spider: Any) -> dict[str, Any]:
    """Add `run_folder` to what a feed's URI may name (Scrapy's `FEED_URI_PARAMS`)."""
    return {**parameters, "run_folder": str(CrawlRun.of(spider.crawler).folder.path)}


class DocumentFeeds(FeedExporter):
    """Scrapy's feeds, which hold every document that was found, or what is new or changed alone."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._holds_unchanged = Configuration.from_settings(crawler.settings).feeds_unchanged

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the extension.

        Raises:
            NotConfigured: there is no feed.
        """
        feeds = super().from_crawler(crawler)
        CrawlRun.of(crawler).deliver = feeds.deliver
        return feeds

    def item_scraped(self, item: Any, spider: Spider) -> None:
        """Write an item, unless the feeds shall not hold it."""
        if self._holds_unchanged or not (isinstance(item, Document) and item.state == "unchanged"):
            super().item_scraped(item, spider)

    def deliver(self, document: Document) -> None:
        """Write a document that no response brought: its text was found at another address."""
        self.item_scraped(document, cast(Spider, self.crawler.spider))

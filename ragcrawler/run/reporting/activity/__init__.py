"""When pages of a crawl were done, how long they took and how large they were, in bounded memory."""

from ragcrawler.run.reporting.activity.crawl_activity import CrawlActivity, ListedPage, SlowPage

__all__ = ["CrawlActivity", "ListedPage", "SlowPage"]

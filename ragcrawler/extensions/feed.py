"""Where the default feed goes."""

from typing import Any

from ragcrawler.run.crawl_run import CrawlRun


def uri_parameters(parameters: dict[str, Any], spider: Any) -> dict[str, Any]:
    """Add `run_folder` to what a feed's URI may name (Scrapy's `FEED_URI_PARAMS`)."""
    return {**parameters, "run_folder": str(CrawlRun.of(spider.crawler).folder.path)}

"""Lets Scrapy's engine look at once for what is next: by itself it does so after a response, or every 5 s."""

from scrapy.crawler import Crawler


def wake_engine(crawler: Crawler | None) -> None:
    """Look in the next turn of the event loop for a request, or for the end of the crawl."""
    engine = crawler.engine if crawler else None
    if engine is not None and engine._slot is not None:
        engine._slot.nextcall.schedule()

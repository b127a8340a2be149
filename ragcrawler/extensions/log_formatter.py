"""Log lines that name an item instead of printing it."""

import logging
from typing import Any

from scrapy.logformatter import LogFormatter

from ragcrawler.run.pages.foreign_items import page_url


class ShortLogFormatter(LogFormatter):
    """Scrapy's log lines hold whole items, bodies and vectors included; these hold a page's URL.

    Items of other kinds are logged as Scrapy does.
    """

    def scraped(self, item: Any, response: Any, spider: Any) -> Any:
        """An item came out of the last pipeline."""
        if not page_url(item):
            return super().scraped(item, response, spider)
        return _line(logging.DEBUG, "Stored: %(url)s", item)

    def dropped(self, item: Any, exception: BaseException, response: Any, spider: Any) -> Any:
        """An item ended on the way."""
        if not page_url(item):
            return super().dropped(item, exception, response, spider)
        level = getattr(exception, "log_level", None) or "WARNING"
        return _line(getattr(logging, level), "Dropped: %(url)s: %(why)s", item, str(exception))

    def item_error(self, item: Any, exception: BaseException, response: Any, spider: Any) -> Any:
        """A pipeline raised what it should not."""
        if not page_url(item):
            return super().item_error(item, exception, response, spider)
        return _line(logging.ERROR, "Error in a pipeline: %(url)s: %(why)s", item, repr(exception))


def _line(level: int, message: str, item: Any, why: str = "") -> dict[str, Any]:
    return {"level": level, "msg": message, "args": {"url": page_url(item), "why": why}}

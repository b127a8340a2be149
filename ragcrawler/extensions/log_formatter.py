"""Log lines that name an item instead of printing it."""

import logging
from typing import Any

from scrapy.logformatter import LogFormatter


class ShortLogFormatter(LogFormatter):
    """Scrapy's log lines hold whole items, bodies and vectors included; these hold the URL."""

    def scraped(self, item: Any, response: Any, spider: Any) -> Any:  # noqa: ARG002 - Scrapy's signature
        """An item came out of the last pipeline."""
        return _line(logging.DEBUG, "Stored: %(url)s", item)

    def dropped(self, item: Any, exception: BaseException, response: Any, spider: Any) -> Any:  # noqa: ARG002 - Scrapy's signature
        """An item ended on the way."""
        level = getattr(exception, "log_level", None) or "WARNING"
        return _line(getattr(logging, level), "Dropped: %(url)s: %(why)s", item, str(exception))

    def item_error(self, item: Any, exception: BaseException, response: Any, spider: Any) -> Any:  # noqa: ARG002 - Scrapy's signature
        """A pipeline raised what it should not."""
        return _line(logging.ERROR, "Error in a pipeline: %(url)s: %(why)s", item, repr(exception))


def _line(level: int, message: str, item: Any, why: str = "") -> dict[str, Any]:
    url = getattr(item, "url", None) or type(item).__name__
    return {"level": level, "msg": message, "args": {"url": url, "why": why}}

"""Scrapy's remote control, which is imported where it is switched on alone."""

from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured


class RemoteControlExtension:
    """Gives Scrapy's own: importing it, and aiohttp, takes a tenth of a second that most crawls need not."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> object:
        """Scrapy's extension.

        Raises:
            NotConfigured: `REMOTE_CONTROL_ENABLED` is off.
        """
        if not crawler.settings.getbool("REMOTE_CONTROL_ENABLED"):
            raise NotConfigured  # a reason would be logged as a warning
        from scrapy.extensions.remote_control import RemoteControl

        return RemoteControl.from_crawler(crawler)

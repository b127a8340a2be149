"""Where pages come from."""

# Imported before there are thousands of modules: Scrapy goes through all of them for each calling frame.
import scrapy.core.downloader.handlers.http11  # noqa: F401

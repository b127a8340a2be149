"""Scrapy extensions: outcomes, progress, report, feed, log."""

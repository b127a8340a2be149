"""Rates and waits that hold for every service that is asked over the network."""

from ragcrawler.services.rate_limit import RateLimit
from ragcrawler.services.request_log import silence_request_log
from ragcrawler.services.retry_after import retry_after_seconds

__all__ = ["RateLimit", "retry_after_seconds", "silence_request_log"]

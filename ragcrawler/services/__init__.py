"""Rates and waits that hold for every service that is asked over the network."""

from ragcrawler.services.loop_thread import LoopThread
from ragcrawler.services.rate_limit import RateLimit
from ragcrawler.services.request_log import silence_request_log
from ragcrawler.services.retry_after import retry_after_seconds

__all__ = ["LoopThread", "RateLimit", "retry_after_seconds", "silence_request_log"]

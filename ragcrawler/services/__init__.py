"""Rates and waits that hold for every service that is asked over the network."""

from ragcrawler.services.http_time import retry_after_seconds
from ragcrawler.services.loop_thread import LoopThread
from ragcrawler.services.rate_limit import RateLimit
from ragcrawler.services.request_log import silence_request_log

__all__ = ["LoopThread", "RateLimit", "retry_after_seconds", "silence_request_log"]

"""Worker processes that can be killed: hostile input costs one job, never the crawl."""

from ragcrawler.conversion.isolation.convert_in_worker import convert_in_worker
from ragcrawler.conversion.isolation.errors import ForkServerFailed, JobFailed, PoolClosed, WorkerDied
from ragcrawler.conversion.isolation.limits import WorkerLimits
from ragcrawler.conversion.isolation.pool import WorkerPool
from ragcrawler.conversion.isolation.statistics import PoolStatistics

__all__ = [
    "ForkServerFailed",
    "JobFailed",
    "PoolClosed",
    "PoolStatistics",
    "WorkerDied",
    "WorkerLimits",
    "WorkerPool",
    "convert_in_worker",
]

"""Exceptions with which a component ends a page; each has a reason to count by."""

import traceback

from scrapy.exceptions import DropItem, IgnoreRequest

SHUTDOWN = "shutdown"
UNCHANGED = "unchanged"
NOT_DUE = "not_due"
ROBOTS_UNAVAILABLE = "robots_unavailable"
DISK_FULL = "disk_full"
LEASE_LOST = "lease_lost"


class PageSkipped(DropItem):
    """The page is left out on purpose; nothing went wrong.

    Attributes:
        reason: a short word to count by.
    """

    def __init__(self, reason: str, message: str = "") -> None:
        super().__init__(message or reason, log_level="DEBUG")
        self.reason = reason


class PageFailed(DropItem):
    """The page was lost to an error.

    Attributes:
        reason: a short word to count by.
        stage: the pipeline that lost it.
        error_type: the class of the error behind it.
        stack_trace: of that error, "" where there is none.
    """

    def __init__(self, reason: str, stage: str, error: BaseException) -> None:
        super().__init__(str(error), log_level="DEBUG")  # the run logs each loss by itself
        self.reason = reason
        self.stage = stage
        self.error_type = type(error).__name__
        self.stack_trace = "".join(traceback.format_exception(error))


class RequestRefused(IgnoreRequest):
    """A request that is not made.

    Attributes:
        reason: a short word to count by.
    """

    def __init__(self, reason: str, message: str = "") -> None:
        super().__init__(message or reason)
        self.reason = reason


class SiteDeferred(IgnoreRequest):
    """The request has to wait for its site, and goes back to the queue."""

    def __init__(self, site: str, seconds: float) -> None:
        super().__init__(f"{site} is left alone for {seconds:.1f} s")


class NoProxiesError(Exception):
    """All proxies are dead: a page is lost, and so is the crawl."""


class DamagedResponseError(Exception):
    """A response that is not what its headers say."""

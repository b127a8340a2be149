"""What a failed download is called in the report."""

from typing import Literal

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
)
from scrapy.spidermiddlewares.httperror import HttpError

from ragcrawler.run.outcomes import SHUTDOWN, DamagedResponseError, NoProxiesError, RequestRefused

# A link to what is not there loses nothing; whoever keeps the site may want to know.
_MISSING = {404, 410}
_MAX_EXPLANATION = 1000  # characters
_REASONS: tuple[tuple[type[BaseException], str], ...] = (
    (CannotResolveHostError, "unknown_host"),
    (DownloadConnectionRefusedError, "connection_refused"),
    (DownloadTimeoutError, "timed_out"),
    (DownloadCancelledError, "too_large"),
    (ResponseDataLossError, "cut_off"),
    (NoProxiesError, "no_proxies"),
    (DamagedResponseError, "damaged"),
)


def is_missing(error: BaseException) -> bool:
    """Whether the server says that nothing is there."""
    return isinstance(error, HttpError) and error.response.status in _MISSING


def explanation(error: BaseException) -> str:
    """What happened, for the log and the list of lost pages; some errors come without a word."""
    if isinstance(error, HttpError):
        return f"the server answered with status {error.response.status}"
    if isinstance(error, ResponseDataLossError):
        return "the response ended before it was whole"
    return str(error)[:_MAX_EXPLANATION] or f"{type(error).__name__} without a message"


def skip_or_fail(error: BaseException, *, running: bool) -> tuple[Literal["skipped", "failed"], str]:
    """Whether a URL counts as skipped or failed, and the reason."""
    if not running:
        return "skipped", SHUTDOWN
    if isinstance(error, HttpError):
        status = error.response.status
        return ("skipped" if status in _MISSING else "failed"), f"http_{status}"
    if isinstance(error, IgnoreRequest):
        # The one of Scrapy's own that can end here is the ban of a robots.txt.
        return "skipped", error.reason if isinstance(error, RequestRefused) else "robots"
    for kind, reason in _REASONS:
        if isinstance(error, kind):
            return "failed", reason
    return "failed", "download_error"

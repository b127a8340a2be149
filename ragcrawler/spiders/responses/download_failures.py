"""The reasons of failed downloads, as the report names them."""

from scrapy import Request
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
)
from scrapy.spidermiddlewares.httperror import HttpError

from ragcrawler.frontier import FetchFailure
from ragcrawler.frontier.target_queue import LeasedTarget
from ragcrawler.run.outcomes import (
    ROBOTS_UNAVAILABLE,
    SHUTDOWN,
    DamagedResponseError,
    NoProxiesError,
    RequestRefused,
)
from ragcrawler.run.reporting.failures import Failure

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


def failure_of(request: Request, error: BaseException, reason: str) -> Failure:
    """The entry of a lost page in the run's list."""
    attempts = request.meta.get("retry_times", 0) + 1
    url = request.meta["url"]
    return Failure(url, "fetch", reason, type(error).__name__, explanation(error), attempts=attempts)


def failure_of_crashes(leased: LeasedTarget, reason: str) -> Failure:
    """The entry of a page over which process after process died."""
    message = f"{leased.crashes} processes died while they had this page in hand"
    return Failure(leased.target.url, "fetch", reason, "", message, attempts=leased.crashes)


def explanation(error: BaseException) -> str:
    """The message for the log and the list of lost pages; some errors have none of their own."""
    if isinstance(error, HttpError):
        return f"the server answered with status {error.response.status}"
    if isinstance(error, ResponseDataLossError):
        return "the response ended before it was whole"
    return str(error)[:_MAX_EXPLANATION] or f"{type(error).__name__} without a message"


def fetch_failure(error: BaseException, *, running: bool) -> FetchFailure:
    """The error as the frontier knows it."""
    if not running:
        return FetchFailure(SHUTDOWN, is_skip=True, is_shutdown=True)
    is_answer = isinstance(error, HttpError)  # which is an IgnoreRequest too
    return FetchFailure(
        failure_reason(error),
        is_skip=is_missing(error) if is_answer else _is_refusal(error),
        is_missing=is_missing(error),
        is_answer=is_answer,
    )


def _is_refusal(error: BaseException) -> bool:
    """Whether the page was left out on purpose; a robots.txt that does not come is no purpose of anybody."""
    return isinstance(error, IgnoreRequest) and failure_reason(error) != ROBOTS_UNAVAILABLE


def failure_reason(error: BaseException) -> str:
    """The word by which a download that brought nothing is counted."""
    if isinstance(error, HttpError):
        return f"http_{error.response.status}"
    if isinstance(error, IgnoreRequest):
        # The one of Scrapy's own that can end here is the ban of a robots.txt.
        return error.reason if isinstance(error, RequestRefused) else "robots"
    return next((reason for kind, reason in _REASONS if isinstance(error, kind)), "download_error")

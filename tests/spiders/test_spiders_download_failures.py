"""The reasons of failed downloads."""

import pytest
from scrapy import Request
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
)
from scrapy.http import Response
from scrapy.spidermiddlewares.httperror import HttpError

from ragcrawler.frontier import FetchFailure
from ragcrawler.run.outcomes import (
    ROBOTS_UNAVAILABLE,
    DamagedResponseError,
    NoProxiesError,
    RequestRefused,
)
from ragcrawler.spiders.responses.download_failures import explanation, failure_of, fetch_failure


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (HttpError(Response("http://a.example/", status=503)), "the server answered with status 503"),
        (ResponseDataLossError(), "the response ended before it was whole"),
        (DownloadTimeoutError(), "DownloadTimeoutError without a message"),
        (DownloadTimeoutError("took longer than 30 s"), "took longer than 30 s"),
    ],
)
def test_each_loss_is_explained(error: Exception, words: str) -> None:
    assert explanation(error) == words


def test_an_endless_message_is_cut() -> None:
    assert len(explanation(ValueError("x" * 100_000))) == 1000


def http_error(status: int) -> HttpError:
    return HttpError(Response("http://a.example/", status=status))


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (http_error(404), FetchFailure("http_404", is_skip=True, is_missing=True, is_answer=True)),
        (http_error(410), FetchFailure("http_410", is_skip=True, is_missing=True, is_answer=True)),
        (http_error(403), FetchFailure("http_403", is_answer=True)),
        (http_error(500), FetchFailure("http_500", is_answer=True)),
        (IgnoreRequest("Forbidden by robots.txt"), FetchFailure("robots", is_skip=True)),
        (RequestRefused("offsite"), FetchFailure("offsite", is_skip=True)),
        (RequestRefused(ROBOTS_UNAVAILABLE), FetchFailure(ROBOTS_UNAVAILABLE)),
        (CannotResolveHostError(), FetchFailure("unknown_host")),
        (DownloadConnectionRefusedError(), FetchFailure("connection_refused")),
        (DownloadTimeoutError(), FetchFailure("timed_out")),
        (DownloadCancelledError(), FetchFailure("too_large")),
        (ResponseDataLossError(), FetchFailure("cut_off")),
        (NoProxiesError(), FetchFailure("no_proxies")),
        (DamagedResponseError(), FetchFailure("damaged")),
        (ValueError(), FetchFailure("download_error")),
    ],
)
def test_a_failed_download_is_missing_left_out_or_lost(error: Exception, failure: FetchFailure) -> None:
    assert fetch_failure(error, running=True) == failure


def test_what_fails_while_the_crawl_ends_is_not_lost() -> None:
    failure = fetch_failure(DownloadTimeoutError(), running=False)
    assert failure == FetchFailure("shutdown", is_skip=True, is_shutdown=True)


def test_a_loss_counts_its_attempts() -> None:
    request = Request("http://a.example/b", meta={"url": "http://a.example/a", "retry_times": 2})
    failure = failure_of(request, DownloadTimeoutError("slow"), "timed_out")
    assert (failure.url, failure.attempts, failure.message) == ("http://a.example/a", 3, "slow")

"""What is said to an address is a ban; what is said of a page is none."""

import pytest
from scrapy import Request
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadTimeoutError,
    IgnoreRequest,
)
from scrapy.http import Response
from twisted.internet.defer import CancelledError

from ragcrawler.middlewares.ban_policy import PageBanPolicy

REQUEST = Request("http://a.org/")


@pytest.mark.parametrize(
    ("status", "ban"),
    [(status, False) for status in (200, 301, 304, 404, 410, 500)]
    + [(status, True) for status in (403, 407, 429, 502, 503, 504)],
)
def test_bans_by_status(status: int, ban: bool):
    assert PageBanPolicy().response_is_ban(REQUEST, Response("http://a.org/", status=status)) is ban


@pytest.mark.parametrize(
    ("exception", "ban"),
    [
        (DownloadTimeoutError(), True),
        (DownloadConnectionRefusedError(), True),
        (CannotResolveHostError(), True),
        (IgnoreRequest(), False),
        (CancelledError(), False),
        (DownloadCancelledError(), False),
    ],
)
def test_bans_by_exception(exception: Exception, ban: bool):
    assert PageBanPolicy().exception_is_ban(REQUEST, exception) is ban

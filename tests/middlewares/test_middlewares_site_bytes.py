"""A site that has sent enough is asked no more, under whatever name."""

from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.exceptions import DownloadCancelledError
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from ragcrawler.config.defaults import project_settings
from ragcrawler.middlewares.site_bytes import SiteBytesMiddleware
from ragcrawler.run.outcomes import RequestRefused

MEBIBYTE = 2**20


def made(mebibytes: int) -> SiteBytesMiddleware:
    rest: dict[str, Any] = {"TWISTED_REACTOR_ENABLED": False, "EXTENSIONS": {}}
    return SiteBytesMiddleware(
        get_crawler(
            Spider, {**project_settings(SITE_MAX_MEBIBYTES=mebibytes, DOWNLOAD_MAXSIZE=MEBIBYTE), **rest}
        )
    )


def receive(middleware: SiteBytesMiddleware, url: str, size: int) -> None:
    middleware.process_response(Request(url), Response(url, body=bytes(size)))


def is_asked(middleware: SiteBytesMiddleware, url: str) -> bool:
    try:
        middleware.process_request(Request(url))
    except RequestRefused as error:
        return error.reason != "site_too_large"
    return True


@pytest.mark.parametrize(
    ("received", "other", "asked"),
    [
        ("https://a.example.org/1", "https://b.example.org/2", False),
        ("https://a.example.org/1", "http://example.org:8080/2", False),
        ("https://a.example.org/1", "https://a.example.net/2", True),
        ("https://a.co.uk/1", "https://b.co.uk/2", True),
        ("http://127.0.0.1/1", "http://127.0.0.2/2", True),
        ("http://127.0.0.1/1", "http://127.0.0.1/2", False),
    ],
)
def test_all_names_of_a_site_count_together(received: str, other: str, asked: bool) -> None:
    middleware = made(1)
    assert is_asked(middleware, received)
    receive(middleware, received, MEBIBYTE - 1)
    assert is_asked(middleware, other)
    receive(middleware, received, 1)
    assert is_asked(middleware, other) is asked


def test_what_was_broken_off_for_its_size_counts_too() -> None:
    middleware = made(1)
    middleware.process_exception(Request("https://a.org/"), DownloadCancelledError("too large"))
    assert not is_asked(middleware, "https://a.org/x")


def test_0_is_no_bound() -> None:
    middleware = made(0)
    receive(middleware, "https://a.org/", 3 * MEBIBYTE)
    assert is_asked(middleware, "https://a.org/")

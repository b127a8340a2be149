"""What is decompressed is bounded by what was sent."""

import gzip
import zlib
from collections.abc import Callable
from typing import Any

import brotli
import pytest
from scrapy import Request, Spider
from scrapy.exceptions import DownloadCancelledError
from scrapy.http import HtmlResponse, Response
from scrapy.utils.test import get_crawler

from ragcrawler.config.defaults import project_settings
from ragcrawler.middlewares.compression import BoundedCompressionMiddleware
from ragcrawler.run.outcomes import DamagedResponseError

URL = "https://a.org/"
WORDS = b"<p>Water the seedlings.</p>"


def made(**settings: Any) -> BoundedCompressionMiddleware:
    rest = {"TWISTED_REACTOR_ENABLED": False, "EXTENSIONS": {}}
    return BoundedCompressionMiddleware(get_crawler(Spider, {**project_settings(**settings), **rest}))


@pytest.fixture
def middleware() -> BoundedCompressionMiddleware:
    return made(DOWNLOAD_MAXSIZE=4_000_000)


def response(body: bytes, encoding: str) -> Response:
    return HtmlResponse(URL, body=body, headers={"Content-Encoding": encoding})


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (gzip.compress(WORDS), "gzip"),
        (zlib.compress(WORDS), "deflate"),
        (brotli.compress(WORDS), "br"),
        (gzip.compress(zlib.compress(WORDS)), "deflate, gzip"),
    ],
    ids=["gzip", "deflate", "brotli", "both"],
)
def test_what_browsers_take_is_decompressed(middleware: Any, body: bytes, encoding: str) -> None:
    request = Request(URL)
    assert middleware.process_response(request, response(body, encoding)).body == WORDS
    assert request.meta["download_maxsize"] == 4_000_000


def test_a_mebibyte_may_come_of_anything_and_more_of_much() -> None:
    middleware = made(DOWNLOAD_MAX_DECOMPRESSION=20)
    for size, grows_too_much in ((1_000_000, False), (3_000_000, True)):
        body = gzip.compress(bytes(size))
        assert size > 20 * len(body)
        if grows_too_much:
            with pytest.raises(DownloadCancelledError):
                middleware.process_response(Request(URL), response(body, "gzip"))
        else:
            assert len(middleware.process_response(Request(URL), response(body, "gzip")).body) == size


@pytest.mark.parametrize(
    ("make", "encoding"),
    [
        (lambda: gzip.compress(bytes(5_000_000)), "gzip"),
        (lambda: brotli.compress(bytes(5_000_000)), "br"),
        (lambda: gzip.compress(WORDS), "gzip, gzip, gzip, gzip"),
    ],
    ids=["gzip", "brotli", "nested"],
)
def test_a_bomb_is_too_large(middleware: Any, make: Callable[[], bytes], encoding: str) -> None:
    bomb = response(make(), encoding)
    with pytest.raises(DownloadCancelledError):
        middleware.process_response(Request(URL), bomb)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_what_is_no_compressed_page_is_damaged(middleware: Any, encoding: str) -> None:
    with pytest.raises(DamagedResponseError):
        middleware.process_response(Request(URL), response(b"<html>plain</html>", encoding))


@pytest.mark.parametrize("encoding", ["gzip", "br"])
def test_an_empty_response_is_left_alone(middleware: Any, encoding: str) -> None:
    assert middleware.process_response(Request(URL), response(b"", encoding)).body == b""

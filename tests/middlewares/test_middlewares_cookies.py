"""Cookies of sites: kept where they may be, and nothing is looked up for it."""

import socket

import pytest
from scrapy import Request
from scrapy.downloadermiddlewares import cookies as scrapys
from scrapy.http import Response
from scrapy.settings import Settings
from scrapy.utils.conf import build_component_list
from scrapy.utils.test import get_crawler

from ragcrawler.config.defaults import project_settings
from ragcrawler.middlewares.cookies import BundledSuffixCookiesMiddleware


@pytest.fixture
def middleware(monkeypatch: pytest.MonkeyPatch) -> BundledSuffixCookiesMiddleware:
    asked: list[object] = []

    def refuse(*question: object, **_: object) -> None:
        asked.append(question)
        raise AssertionError(f"{question} was looked up")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(scrapys, "_split_domain", refuse)  # its list comes from the internet
    return BundledSuffixCookiesMiddleware.from_crawler(get_crawler(settings_dict={"COOKIES_ENABLED": True}))


@pytest.mark.parametrize(
    ("setter", "cookie", "visited", "sent"),
    [
        ("https://a.example.org/", b"k=1", "https://a.example.org/b", b"k=1"),
        ("https://a.example.org/", b"k=1", "https://b.example.org/", None),
        ("https://a.example.org/", b"k=1; Domain=example.org", "https://b.example.org/", b"k=1"),
        ("https://a.co.uk/", b"k=1; Domain=co.uk", "https://b.co.uk/", None),
        ("https://a.co.uk/", b"k=1; Domain=co.uk", "https://a.co.uk/", None),
        ("https://a.github.io/", b"k=1; Domain=github.io", "https://b.github.io/", None),
        ("https://github.io/", b"k=1; Domain=github.io", "https://github.io/", b"k=1"),
        ("http://127.0.0.1/", b"k=1", "http://127.0.0.1/b", b"k=1"),
    ],
)
def test_a_cookie_goes_where_it_may_and_no_list_is_fetched(
    middleware: BundledSuffixCookiesMiddleware, setter: str, cookie: bytes, visited: str, sent: bytes | None
) -> None:
    response = Response(setter, headers={"Set-Cookie": cookie})
    middleware.process_response(Request(setter), response)
    request = Request(visited)
    middleware.process_request(request)
    assert request.headers.get("Cookie") == sent


def test_the_project_uses_it_in_place_of_scrapys() -> None:
    settings = Settings({**project_settings(), "COOKIES_ENABLED": True})
    chosen = build_component_list(settings.get_component_priority_dict_with_base("DOWNLOADER_MIDDLEWARES"))
    names = [part for part in map(str, chosen) if "cookies" in part.lower()]
    assert names == ["ragcrawler.middlewares.cookies.BundledSuffixCookiesMiddleware"]

"""The address guard's rules from a crawl's settings and spider."""

from typing import Any

import pytest
from scrapy import Spider
from scrapy.crawler import Crawler

from ragcrawler.middlewares.address_guard.crawl_guard import crawl_guard
from ragcrawler.urls.address_guard import AddressGuard, UnsafeAddressError


def guard_of(start_urls: list[str], **settings: Any) -> AddressGuard:
    crawler = Crawler(Spider, settings)
    crawler.spider = Spider(name="any", start_urls=start_urls)
    assert crawl_guard(crawler) is crawl_guard(crawler)
    return crawl_guard(crawler)


def reaches(guard: AddressGuard, host: str, port: int) -> bool:
    try:
        guard.check_addresses(host, port, ["127.0.0.1"])
    except UnsafeAddressError:
        return False
    return True


def test_start_urls_are_what_the_operator_named() -> None:
    guard = guard_of(["http://127.0.0.1:8000/x", "data:text/html,x", "https://u:p@127.0.0.1:8001/"])
    assert guard.check_url("http://127.0.0.1:8000/y") == ("127.0.0.1", 8000)
    with pytest.raises(UnsafeAddressError):
        guard.check_url("http://127.0.0.1:8001/")


def test_proxies_of_settings_and_environment_are_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://user:secret@proxy.corp:3128")
    monkeypatch.setenv("no_proxy", "localhost,127.0.0.1")
    guard = guard_of([], ROTATING_PROXY_LIST="127.0.0.1:8118,http://u:p@127.0.0.2:8118")
    assert reaches(guard, "proxy.corp", 3128)
    assert reaches(guard, "127.0.0.1", 8118)
    assert reaches(guard, "127.0.0.2", 8118)
    assert not reaches(guard, "127.0.0.1", 80)


def test_proxies_of_the_environment_do_not_count_where_they_are_switched_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("http_proxy", "http://proxy.corp:3128")
    assert not reaches(guard_of([], HTTPPROXY_ENABLED=False), "proxy.corp", 3128)

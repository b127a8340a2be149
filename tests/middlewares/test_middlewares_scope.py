"""The whitelist holds for redirects, and each host has its own download slot."""

from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request

from ragcrawler.frontier import Frontier, FrontierOptions
from ragcrawler.frontier.scope import Scope
from ragcrawler.middlewares.scope import ScopeMiddleware
from ragcrawler.run.outcomes import RequestRefused


def middleware(domains: str | None) -> ScopeMiddleware:
    frontier = Frontier(FrontierOptions())
    given = {"scope": Scope.parse(domains)} if domains else {}
    crawler: Any = SimpleNamespace(
        spider=SimpleNamespace(frontier=frontier, **given), stats=SimpleNamespace(inc_value=lambda _: None)
    )
    return ScopeMiddleware(crawler)


@pytest.mark.parametrize(
    ("url", "meta"),
    [
        ("https://a.org/docs/x", {}),
        ("https://www.a.org/docs/x", {}),
        ("https://a.org/robots.txt", {"dont_obey_robotstxt": True}),
    ],
)
def test_what_is_in_scope_passes(url: str, meta: dict[str, Any]) -> None:
    assert middleware("https://a.org/docs/").process_request(Request(url, meta=meta)) is None


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://a.org/blog/", "offsite"),
        ("https://b.org/docs/", "offsite"),
        ("https://me:secret@a.org/docs/", "credentials"),
    ],
)
def test_what_is_not_is_refused_with_a_reason(url: str, reason: str) -> None:
    with pytest.raises(RequestRefused) as caught:
        middleware("https://a.org/docs/").process_request(Request(url))
    assert caught.value.reason == reason
    assert "secret" not in str(caught.value)


def test_a_spider_without_a_scope_is_left_alone() -> None:
    assert middleware(None).process_request(Request("https://b.org/")) is None


def test_a_redirect_does_not_take_its_hosts_slot_along() -> None:
    request = Request("https://www.a.org/docs/", meta={"download_slot": "a.org"})
    middleware("https://a.org/docs/").process_request(request)
    assert "download_slot" not in request.meta

"""Pages that need their scripts, where there is no browser."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

Crawl = Callable[..., Any]
SHELL = b'<html><body><div id="root"></div><script>document.body.textContent = "x"</script></body></html>'


def test_without_a_browser_pages_are_kept_as_they_were_sent_with_one_warning(
    site: Any, crawl: Crawl, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "playwright", None)  # whoever imports it fails
    site.page("/", "/a", "/b", "/c")
    for path in ("/a", "/b", "/c"):
        site.answers[path] = (200, {}, SHELL)
    ended = crawl(domains=site.url, CHROMIUM_PATH="/nowhere/chromium")
    assert ended.stats["ragcrawler/javascript/wanted"] == 3
    assert ended.stats["ragcrawler/javascript/no_browser"] == 3
    assert ended.report["pages"]["fetched"] == 1
    assert ended.skipped == {"empty": 3}
    assert [message for message in caplog.messages if "'/nowhere/chromium'" in message] == [
        "Pages that need JavaScript are kept as they were sent, most of them without their text: "
        "CHROMIUM_PATH is '/nowhere/chromium', which is no program that can be run"
    ]


def test_pages_over_the_budget_are_kept_as_they_were_sent(site: Any, crawl: Crawl) -> None:
    site.page("/", "/a", "/b", "/c")
    for path in ("/a", "/b", "/c"):
        site.answers[path] = (200, {}, SHELL)
    stats = crawl(domains=site.url, CHROMIUM_PATH="/nowhere/chromium", JAVASCRIPT_MAX_PAGES=1).stats
    assert stats["ragcrawler/javascript/wanted"] == 3
    assert stats["ragcrawler/javascript/over_budget"] == 2
    assert stats["ragcrawler/javascript/no_browser"] == 1


def test_never_looks_at_no_page(site: Any, crawl: Crawl) -> None:
    site.page("/", "/a")
    site.answers["/a"] = (200, {}, SHELL)
    stats = crawl(domains=site.url, JAVASCRIPT="never").stats
    assert not [name for name in stats if name.startswith("ragcrawler/javascript/")]


def test_robots_txt_and_sitemaps_that_are_the_shell_are_not_rendered(site: Any, crawl: Crawl) -> None:
    """Many an application answers every path with its start page."""
    for path in ("/", "/robots.txt", "/sitemap.xml", "/llms.txt"):
        site.answers[path] = (200, {}, SHELL)
    stats = crawl(domains=site.url, CHROMIUM_PATH="/nowhere/chromium").stats
    assert stats["ragcrawler/javascript/wanted"] == 1

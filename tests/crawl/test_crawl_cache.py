"""A second crawl transfers what changed, and sees everything."""

import gzip
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.site_server import DEMO_SITE, SiteServer

Crawl = Callable[..., Any]


@pytest.fixture
def fetch(crawl: Crawl) -> Crawl:
    """Crawl without pipelines."""

    def run(**keywords: Any) -> Any:
        return crawl(**{"ITEM_PIPELINES": {}, "SITEMAPS": "off"} | keywords)

    return run


class ConditionalPage:
    """A page with a validator, on a site whose requests' headers are looked at."""

    def __init__(self, site: Any, path: str, body: bytes, **headers: str) -> None:
        self.site, self.path = site, path
        self.body = body
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}
        self.statuses: list[int] = []
        site.answers[path] = self.answer

    def answer(self) -> Any:
        asked = self.site.headers[-1]
        known = asked.get("If-None-Match", asked.get("If-Modified-Since"))
        own = self.headers.get("ETag", self.headers.get("Last-Modified"))
        self.statuses.append(304 if known is not None and known == own else 200)
        return self.statuses[-1], self.headers, b"" if self.statuses[-1] == 304 else self.body


DATE = "Wed, 24 Jun 2026 15:00:00 GMT"


def linking(path: str) -> bytes:
    return f'<h1>A page</h1><a href="{path}">next</a>'.encode()


@pytest.mark.parametrize(
    "headers",
    [
        {"ETag": '"1"'},
        {"ETag": 'W/"1"'},
        {"Last_Modified": DATE},
        {"ETag": '"1"', "Cache_Control": "max-age=31536000, immutable"},  # asked all the same
        {"ETag": '"1"', "Cache_Control": "no-cache"},
    ],
)
def test_an_unchanged_page_is_not_sent_again_and_its_links_are_seen(
    site: Any, fetch: Crawl, headers: dict[str, str]
) -> None:
    page = ConditionalPage(site, "/", linking("/a"), **headers)
    site.page("/a")
    first = fetch(domains=site.url)
    second = fetch(domains=site.url)
    assert page.statuses == [200, 304]
    assert first.report["pages"]["fetched"] == second.report["pages"]["fetched"] == 2
    assert second.stats["ragcrawler/cache/unchanged"] == 1
    assert second.stats["ragcrawler/cache/bytes"] == len(page.body)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Cache_Control": "max-age=3600"},
        {"ETag": '"1"', "Cache_Control": "no-store"},
        {"ETag": '"1"', "Vary": "*"},
    ],
)
def test_what_cannot_be_confirmed_or_must_not_be_kept_is_sent_again(
    site: Any, fetch: Crawl, headers: dict[str, str]
) -> None:
    page = ConditionalPage(site, "/", linking("/a"), **headers)
    fetch(domains=site.url)
    fetch(domains=site.url)
    assert page.statuses == [200, 200]


def test_a_changed_page_is_sent_and_kept(site: Any, fetch: Crawl) -> None:
    page = ConditionalPage(site, "/", linking("/a"), ETag='"1"')
    fetch(domains=site.url)
    page.body, page.headers = linking("/b"), {"ETag": '"2"'}
    site.requests.clear()
    fetch(domains=site.url)
    assert "/b" in site.requests
    assert "/a" not in site.requests
    fetch(domains=site.url)
    assert page.statuses == [200, 200, 304]


def test_a_page_that_fails_now_is_not_taken_from_the_last_crawl(site: Any, fetch: Crawl) -> None:
    ConditionalPage(site, "/", linking("/a"), ETag='"1"')
    fetch(domains=site.url)
    site.answers["/"] = (500, {}, b"broken")
    assert fetch(domains=site.url).failed == {"http_500": 1}


def test_a_compressed_page_is_kept_compressed_and_read_again(site: Any, fetch: Crawl) -> None:
    body = gzip.compress(linking("/a"))
    page = ConditionalPage(site, "/", body, ETag='"1"', Content_Encoding="gzip")
    site.page("/a")
    fetch(domains=site.url)
    assert fetch(domains=site.url).report["pages"]["fetched"] == 2
    assert page.statuses == [200, 304]


def test_the_validators_of_a_page_do_not_follow_its_redirect(site: Any, fetch: Crawl) -> None:
    ConditionalPage(site, "/", linking("/x"), ETag='"1"')
    fetch(domains=site.url)
    site.answers["/"] = (302, {"Location": "/moved"}, b"")
    moved = ConditionalPage(site, "/moved", linking("/x"), ETag='"1"')
    assert fetch(domains=site.url).report["pages"]["fetched"] == 1
    assert moved.statuses == [200]


def stored(run: Any) -> list[tuple[bytes, bytes]]:
    file = sqlite3.connect(run.output / "httpcache" / "responses.sqlite")
    rows = file.execute("SELECT headers, body FROM responses").fetchall()
    file.close()
    return rows


def test_a_cookie_is_not_stored_with_its_page(site: Any, fetch: Crawl) -> None:
    page = ConditionalPage(site, "/", linking("/a"), ETag='"1"', Set_Cookie="session=swordfish")
    ((headers, body),) = stored(fetch(domains=site.url))
    assert b"ETag" in headers or b"Etag" in headers
    assert b"swordfish" not in headers + body
    (row,) = stored(fetch(domains=site.url))  # the 304 brings the cookie again
    assert page.statuses == [200, 304]
    assert b"swordfish" not in b"".join(row)


@pytest.mark.parametrize("name", ["Cookie", "Authorization"])
def test_what_credentials_have_brought_is_not_stored(site: Any, fetch: Crawl, name: str) -> None:
    page = ConditionalPage(site, "/", linking("/a"), ETag='"1"')
    for _ in range(2):
        assert stored(fetch(domains=site.url, DEFAULT_REQUEST_HEADERS={name: "swordfish"})) == []
    assert page.statuses == [200, 200]


def test_what_a_login_has_brought_is_not_stored(site: Any, fetch: Crawl) -> None:
    page = ConditionalPage(site, "/", linking("/a"), ETag='"1"')
    run = fetch(domains=site.url, CRAWL_COOKIES=json.dumps({site.url: "session=swordfish"}))
    assert site.headers[-1]["Cookie"] == "session=swordfish"
    assert page.statuses == [200]
    assert stored(run) == []


def test_without_a_cache_that_works_pages_are_fetched_all_the_same(
    site: Any, fetch: Crawl, settings: dict[str, Any]
) -> None:
    folder = Path(settings["OUTPUT_DIR"]) / "httpcache"
    folder.parent.mkdir()
    folder.write_text("in the way")
    ConditionalPage(site, "/", linking("/a"), ETag='"1"')
    site.page("/a")
    assert fetch(domains=site.url).report["pages"]["fetched"] == 2


def test_a_second_crawl_of_an_unchanged_site_makes_nothing_anew_and_misses_no_page(crawl: Crawl) -> None:
    with SiteServer(DEMO_SITE) as served:
        first = crawl(domains=served.url)
        asked = len(served.requests)
        second = crawl(domains=served.url)
        again = served.requests[asked:]
    assert first.report["pages"]["fetched"] > 10
    stored = first.report["pages"]["fetched"]
    assert second.report["pages"]["skipped"]["unchanged"] == stored
    assert second.report["pages"]["seen"] == first.report["pages"]["seen"]
    assert second.report["collection_points"] == first.report["collection_points"]
    assert second.report["chunks"]["made"] == 0
    assert second.report["exit_code"] == 0
    assert {request.status for request in again} <= {304, 301, 404}

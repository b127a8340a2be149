"""Crawls obey robots.txt, robots tags and rel=nofollow."""

from collections.abc import Callable
from typing import Any

import pytest

Crawl = Callable[..., Any]

PLAIN = {"Content-Type": "text/plain"}


@pytest.fixture
def fetch(crawl: Crawl) -> Crawl:
    """Crawl without pipelines: what is fetched and followed is decided before them."""

    def run(**keywords: Any) -> Any:
        return crawl(**{"ITEM_PIPELINES": {}, "SITEMAPS": "off", "ROBOTS_RETRY_SECONDS": 0.05} | keywords)

    return run


def robots(site: Any, text: str, status: int = 200, **headers: str) -> None:
    site.answers["/robots.txt"] = (status, {**PLAIN, **headers}, text.encode())


def test_the_group_of_our_product_token_counts(site: Any, fetch: Crawl) -> None:
    robots(site, "User-agent: *\nDisallow: /\n\nUser-agent: ragcrawler\nDisallow: /private/\n")
    site.page("/", "/private/x", "/open")
    site.page("/open")
    run = fetch(domains=site.url)
    assert run.report["pages"]["fetched"] == 2
    assert run.skipped == {"robots": 1}


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_a_robots_txt_that_is_not_there_allows_everything(site: Any, fetch: Crawl, status: int) -> None:
    robots(site, "User-agent: *\nDisallow: /\n", status)
    site.page("/")
    assert fetch(domains=site.url).report["pages"]["fetched"] == 1


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_robots_txt_that_cannot_be_had_is_asked_for_again_before_any_page(
    site: Any, fetch: Crawl, status: int
) -> None:
    answers = iter(
        [(status, PLAIN, b""), (status, PLAIN, b""), (200, PLAIN, b"User-agent: *\nDisallow: /p\n")]
    )
    site.answers["/robots.txt"] = lambda: next(answers)
    site.page("/", "/private", "/open")
    site.page("/open")
    run = fetch(domains=site.url)
    assert site.requests[:4] == ["/robots.txt", "/robots.txt", "/robots.txt", "/"]
    assert run.report["pages"]["fetched"] == 2
    assert run.skipped == {"robots": 1}


def test_after_enough_tries_the_pages_of_the_host_are_lost(site: Any, fetch: Crawl) -> None:
    robots(site, "", 503)
    site.page("/a")
    site.page("/b")
    run = fetch(urls=f"{site.url}/a,{site.url}/b", ROBOTS_RETRY_TIMES=2)
    assert site.requests == ["/robots.txt"] * 3
    assert run.failed == {"robots_unavailable": 2}
    assert run.stats["ragcrawler/robots/unavailable"] == 1
    assert run.report["exit_code"] == 3


def test_a_host_without_robots_txt_for_now_holds_up_no_other(
    site: Any, other_site: Any, fetch: Crawl
) -> None:
    robots(site, "", 503)
    other_site.page("/", "/1", "/2")
    other_site.page("/1")
    other_site.page("/2")
    seconds = 1.0
    run = fetch(
        urls=f"{site.url}/,{other_site.url}/",
        ROBOTS_RETRY_TIMES=1,
        ROBOTS_RETRY_SECONDS=seconds,
    )
    assert run.report["pages"]["fetched"] == 3
    assert run.failed == {"robots_unavailable": 1}
    assert [failure["url"] for failure in run.failures] == [f"{site.url}/"]
    assert run.report["exit_code"] == 4
    assert max(other_site.times) < site.times[-1]


def test_five_redirects_lead_to_a_robots_txt_and_six_to_none(
    site: Any, other_site: Any, fetch: Crawl
) -> None:
    rules = (200, PLAIN, b"User-agent: *\nDisallow: /private\n")
    for served, redirects in ((site, 5), (other_site, 6)):
        served.answers["/robots.txt"] = (302, {"Location": "/1"}, b"")
        for number in range(1, redirects):
            served.answers[f"/{number}"] = (302, {"Location": f"/{number + 1}"}, b"")
        served.answers[f"/{redirects}"] = rules
        served.page("/private")
    run = fetch(urls=f"{site.url}/private,{other_site.url}/private")
    assert "/private" not in site.requests
    assert "/private" in other_site.requests
    assert run.skipped == {"robots": 1}


def test_of_an_endless_robots_txt_the_beginning_is_obeyed(site: Any, fetch: Crawl) -> None:
    robots(site, "User-agent: *\nDisallow: /private\n" + "# and so on\n" * 200_000)
    site.page("/", "/private")
    run = fetch(domains=site.url)
    assert run.report["pages"]["fetched"] == 1
    assert run.skipped == {"robots": 1}


def test_a_crawl_delay_spaces_the_requests(site: Any, fetch: Crawl) -> None:
    robots(site, "User-agent: *\nCrawl-delay: 0.3\n")
    site.page("/", "/a", "/b")
    site.page("/a")
    site.page("/b")
    fetch(domains=site.url, AUTOTHROTTLE_ENABLED=True, DOWNLOAD_DELAY=0.01, AUTOTHROTTLE_START_DELAY=0.01)
    gaps = [later - earlier for earlier, later in zip(site.times[1:], site.times[2:], strict=False)]
    assert len(gaps) >= 2
    assert min(gaps) > 0.15  # far more than without it


def test_a_crawl_delay_of_a_day_is_cut_and_said(site: Any, fetch: Crawl) -> None:
    robots(site, "User-agent: *\nCrawl-delay: 86400\n")
    site.page("/", "/a")
    site.page("/a")
    run = fetch(domains=site.url, ROBOTS_MAX_CRAWL_DELAY_SECONDS=0.1)
    assert run.report["pages"]["fetched"] == 2
    assert run.stats["ragcrawler/robots/delays_cut"] == 1


def test_robots_txt_may_be_ignored(site: Any, fetch: Crawl) -> None:
    robots(site, "User-agent: *\nDisallow: /\nCrawl-delay: 60\n")
    site.page("/", "/a")
    site.page("/a")
    assert fetch(domains=site.url, ROBOTSTXT_OBEY=False).report["pages"]["fetched"] == 2


NOINDEX_META = (
    '<html><head><meta name="robots" content="noindex"></head><body><a href="/next">n</a></body></html>'
)


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({}, NOINDEX_META),
        ({}, NOINDEX_META.replace('"robots"', '"RagCrawler"')),
        ({"X-Robots-Tag": "noindex"}, '<a href="/next">n</a>'),
        ({"X-Robots-Tag": "otherbot: nofollow, ragcrawler: noindex"}, '<a href="/next">n</a>'),
        ({"X-Robots-Tag": "unavailable_after: Thu, 25 Jun 2020 14:59:00 GMT"}, '<a href="/next">n</a>'),
    ],
)
def test_a_noindex_page_is_not_kept_but_followed(
    site: Any, fetch: Crawl, headers: dict[str, str], body: str
) -> None:
    site.page("/", "/hidden")
    site.answers["/hidden"] = (200, headers, body.encode())
    site.page("/next")
    run = fetch(domains=site.url)
    assert run.skipped == {"noindex": 1}
    assert run.report["pages"]["fetched"] == 2
    assert "/next" in site.requests


def test_a_noindex_page_is_none_of_the_pages_that_were_asked_for(site: Any, fetch: Crawl) -> None:
    site.answers["/"] = (200, {"X-Robots-Tag": "noindex"}, b'<a href="/a">a</a><a href="/b">b</a>')
    site.page("/a")
    site.page("/b")
    run = fetch(domains=site.url, max_pages="1")
    assert run.report["pages"]["fetched"] == 1
    assert run.skipped == {"noindex": 1, "max_pages": 1}


def test_a_pdf_may_be_noindex_by_its_header(site: Any, fetch: Crawl) -> None:
    site.page("/", "/a.pdf")
    site.answers["/a.pdf"] = (200, {"Content-Type": "application/pdf", "X-Robots-Tag": "none"}, b"%PDF-1.7")
    assert fetch(domains=site.url).skipped == {"noindex": 1}


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({}, '<meta name="robots" content="nofollow"><a href="/a">a</a>'),
        ({"X-Robots-Tag": "nofollow"}, '<a href="/a">a</a>'),
        ({}, '<a href="/a" rel="noopener nofollow">a</a>'),
    ],
)
def test_nofollow_links_are_not_followed_and_counted(
    site: Any, fetch: Crawl, headers: dict[str, str], body: str
) -> None:
    site.answers["/"] = (200, headers, body.encode())
    site.page("/a")
    run = fetch(domains=site.url)
    assert "/a" not in site.requests
    assert run.skipped == {"nofollow": 1}
    assert run.report["pages"]["fetched"] == 1


def test_a_link_that_may_be_followed_brings_what_another_may_not(site: Any, fetch: Crawl) -> None:
    site.answers["/"] = (200, {}, b'<a href="/a" rel="nofollow">a</a><a href="/b">b</a>')
    site.page("/b", "/a")
    site.page("/a")
    run = fetch(domains=site.url)
    assert run.report["pages"]["fetched"] == 3
    assert run.skipped == {}


def test_tags_and_rel_nofollow_may_be_ignored_each_by_itself(site: Any, fetch: Crawl) -> None:
    body = b'<meta name="robots" content="noindex"><a href="/a" rel="nofollow">a</a>'
    site.answers["/"] = (200, {"X-Robots-Tag": "noindex"}, body)
    site.page("/a")
    run = fetch(domains=site.url, ROBOTS_TAGS_OBEY=False)
    assert run.report["pages"]["fetched"] == 1
    assert run.skipped == {"nofollow": 1}
    run = fetch(domains=site.url, REL_NOFOLLOW_OBEY=False)
    assert run.report["pages"]["fetched"] == 1
    assert run.skipped == {"noindex": 1}

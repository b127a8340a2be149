"""`rel=canonical` decides which address a page is known by, and a wrong one loses nothing."""

from collections.abc import Callable
from typing import Any

import pytest

Crawl = Callable[..., Any]


def put(site: Any, path: str, canonical: str, *links: str, header: bool = False) -> None:
    site.page(path, *links)
    status, headers, body = site.answers[path]
    if header:
        headers = {**headers, "Link": f'<{canonical}>; rel="canonical"'}
    else:
        body = body.replace(b"<head>", f'<head><link rel="canonical" href="{canonical}">'.encode())
    site.answers[path] = (status, headers, body)


def paths(run: Any) -> set[str]:
    return {"/" + page["final_url"].split("/", 3)[3] for page in run.documents}


@pytest.fixture
def bare(settings: dict[str, Any], crawl: Crawl) -> Crawl:
    return lambda **keywords: crawl(SITEMAPS="off", ITEM_PIPELINES={}, **keywords)


@pytest.mark.parametrize("header", [False, True], ids=["markup", "header"])
def test_a_page_is_known_by_the_address_it_gives(site: Any, bare: Crawl, header: bool) -> None:
    site.page("/", "/guide?from=menu")
    put(site, "/guide?from=menu", "/guide", "/next", header=header)
    put(site, "/guide", "/guide")
    site.page("/next")
    run = bare(domains=site.url)
    assert paths(run) == {"/", "/guide", "/next"}
    assert run.skipped == {"canonical": 1}


def test_an_address_that_is_gone_loses_no_page(site: Any, bare: Crawl) -> None:
    site.page("/", "/here")
    put(site, "/here", "/gone")
    run = bare(domains=site.url)
    assert paths(run) == {"/", "/here"}
    assert run.skipped == {"http_404": 1}
    assert run.stats["ragcrawler/canonical/missing"] == 1


def test_many_pages_with_one_address_that_is_gone_are_all_kept(site: Any, bare: Crawl) -> None:
    names = [f"/here/{number}" for number in range(8)]
    site.page("/", *names)
    for name in names:
        put(site, name, "/gone")
    run = bare(domains=site.url)
    assert paths(run) == {"/", *names}


@pytest.mark.parametrize(
    "address",
    ["https://elsewhere.example/here", "/contact.html", "mailto:a@a.org", "https://u:p@a.org/", "#top", ""],
)
def test_an_address_that_would_not_be_crawled_is_not_followed(site: Any, bare: Crawl, address: str) -> None:
    site.page("/", "/here")
    put(site, "/here", address)
    run = bare(domains=site.url)
    assert paths(run) == {"/", "/here"}
    assert run.skipped == {}


def test_a_template_that_calls_every_page_the_start_page_costs_none(site: Any, bare: Crawl) -> None:
    site.page("/", "/a", "/b")
    put(site, "/a", "/")
    put(site, "/b", "/")
    run = bare(domains=site.url)
    assert paths(run) == {"/", "/a", "/b"}
    assert run.stats["ragcrawler/canonical/start_page"] == 2


def test_addresses_that_contradict_each_other_are_not_followed(site: Any, bare: Crawl) -> None:
    site.page("/", "/here")
    put(site, "/here", '/one"><link rel=canonical href="/two')
    run = bare(domains=site.url)
    assert paths(run) == {"/", "/here"}
    assert run.stats["ragcrawler/canonical/conflicting"] == 1


def test_of_two_pages_that_name_each_other_one_is_kept(site: Any, bare: Crawl) -> None:
    site.page("/", "/a", "/b")
    put(site, "/a", "/b")
    put(site, "/b", "/a")
    run = bare(domains=site.url)
    assert len(paths(run)) == 2
    assert run.skipped == {"canonical": 1}


def test_an_address_that_redirects_back_keeps_the_page(site: Any, bare: Crawl) -> None:
    site.page("/", "/here")
    put(site, "/here", "/there")
    site.answers["/there"] = (301, {"Location": "/here"}, b"")
    run = bare(domains=site.url)
    assert paths(run) == {"/", "/here"}
    assert run.skipped == {"redirected": 1}


def test_a_chain_ends_at_its_end_and_an_endless_one_keeps_pages(site: Any, bare: Crawl) -> None:
    site.page("/", "/0", "/x0")
    put(site, "/0", "/1")
    put(site, "/1", "/2")
    site.page("/2")
    for number in range(9):
        put(site, f"/x{number}", f"/x{number + 1}")
    run = bare(domains=site.url)
    assert paths(run) == {"/", "/2", "/x3"}
    assert run.skipped == {"canonical": 5}


def test_a_page_already_taken_is_not_fetched_again_for_its_copies(site: Any, bare: Crawl) -> None:
    site.page("/", "/guide", "/copy")
    put(site, "/guide", "/guide", "/late")
    put(site, "/copy", "/guide")
    put(site, "/late", "/guide")
    run = bare(domains=site.url)
    assert site.requests.count("/guide") == 1
    assert paths(run) == {"/", "/guide"}
    assert run.skipped == {"canonical": 2}


def test_an_address_that_robots_txt_forbids_keeps_the_page(site: Any, bare: Crawl) -> None:
    rules = b"User-agent: *\nDisallow: /hidden\n"
    site.answers["/robots.txt"] = (200, {"Content-Type": "text/plain"}, rules)
    site.page("/", "/here")
    put(site, "/here", "/hidden")
    run = bare(domains=site.url)
    assert paths(run) == {"/", "/here"}
    assert run.skipped == {"robots": 1}

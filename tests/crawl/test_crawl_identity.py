"""One page has many URLs: each is asked for as its site spells it, and kept once."""

from collections.abc import Callable
from typing import Any

import pytest

from ragcrawler.frontier import Frontier, FrontierOptions, Target
from ragcrawler.frontier.scope import Scope
from ragcrawler.urls.links.page_links import PageLinks

Crawl = Callable[..., Any]


def asked(site: Any) -> list[str]:
    return [path for path in site.requests if path not in ("/robots.txt", "/sitemap.xml", "/llms.txt")]


def test_a_url_is_asked_for_as_the_site_spells_it(site: Any, crawl: Crawl) -> None:
    spelled = "/a%7eb/index.html?z=1&a=%c3%a4&utm_source=x"
    site.page("/", spelled, "/a~b/index.html?z=1&a=%C3%A4")
    site.page(spelled)
    run = crawl(domains=site.url, SITEMAPS="off")
    assert asked(site) == ["/", spelled]
    assert run.report["pages"]["seen"] == 2
    assert run.stats["ragcrawler/spellings/joined"] == 1
    assert {document["url"] for document in run.documents} == {
        f"{site.url}/",
        f"{site.url}/a%7eb/index.html?z=1&a=%c3%a4",
    }


SESSIONS = ("0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210")
PAIRS = {
    "index": ("/auth/index.html", "/auth/default.html"),
    "folder": ("/auth/", "/auth/index.html"),
    "slash": ("/auth", "/auth/"),
    "order": ("/x?a=1&b=2", "/x?b=2&a=1"),
    "session": (f"/x?s={SESSIONS[0]}", f"/x?s={SESSIONS[1]}"),
    "session or none": ("/x", f"/x?session={SESSIONS[0]}"),
}


@pytest.mark.parametrize("pair", PAIRS.values(), ids=list(PAIRS))
def test_two_pages_that_a_rule_takes_for_one_are_both_kept_at_every_crawl(
    site: Any, crawl: Crawl, pair: tuple[str, str]
) -> None:
    for number, path in enumerate(pair):
        site.page(
            path, text=f"The {number + 1}. of two pages that have nothing in common but their addresses."
        )
    site.page("/", *pair)
    first = crawl(domains=site.url, SITEMAPS="off")
    assert {document["url"] for document in first.documents} == {site.url + path for path in ("/", *pair)}
    site.page("/", *reversed(pair), text="The start page, which names them in the other order now.")
    second = crawl(domains=site.url, SITEMAPS="off")
    assert second.report["documents"]["unchanged"] == 2
    assert second.report["documents"]["changed"] == 1
    assert second.report["collection_points"] == first.report["collection_points"]


@pytest.mark.parametrize("pair", PAIRS.values(), ids=list(PAIRS))
def test_two_addresses_with_one_text_are_one_document_and_both_are_counted(
    site: Any, crawl: Crawl, pair: tuple[str, str]
) -> None:
    for path in pair:
        site.page(path)
    site.answers[pair[1]] = site.answers[pair[0]]
    site.page("/", *pair)
    run = crawl(domains=site.url, SITEMAPS="off")
    assert run.report["pages"]["fetched"] == 2
    assert run.report["pages"]["seen"] == 3
    assert sum(run.skipped.values()) == 1
    assert run.skipped.keys() <= {"same_text", "duplicate_content"}


def test_of_www_three_pages_are_tried_out() -> None:
    shown = [f"http://{name}.localhost/{number}" for number in range(6) for name in ("a", "www.a")]
    frontier = Frontier(FrontierOptions(Scope.parse("http://a.localhost/"), (shown[0],)))
    frontier.start()
    asked = {target.url for target in frontier.add(PageLinks(tuple(shown)), Target(shown[0]))}
    assert len(asked) == 5 + 3


def test_where_sessions_are_sessions_three_pages_are_asked_for_twice(site: Any, crawl: Crawl) -> None:
    names = [f"/topic/{number}" for number in range(12)]
    for number, name in enumerate(names):
        site.page(name)
        site.answers[f"{name}?sid={number:032d}"] = site.answers[name]
    site.page("/", *names, "/again")
    site.page("/again", *(f"{name}?sid={number:032d}" for number, name in enumerate(names)))
    run = crawl(domains=site.url, SITEMAPS="off")
    assert len([path for path in asked(site) if "sid=" in path]) == 3
    assert run.skipped == {"same_text": 3}
    assert run.stats["ragcrawler/spellings/joined"] == 9


def test_where_they_are_not_every_page_is_kept(site: Any, crawl: Crawl) -> None:
    stories = [f"/read?s={number:032d}" for number in range(9)]
    site.page("/", *stories)
    for number, story in enumerate(stories):
        site.page(story, text=f"Story {number}: {'abcdefghi'[number] * 30} and nothing of the other stories.")
    run = crawl(domains=site.url, SITEMAPS="off")
    assert run.report["pages"]["fetched"] == 10
    assert {document["url"] for document in run.documents} == {site.url + path for path in ("/", *stories)}


def test_where_one_spelling_is_missing_the_other_is_asked_for(site: Any, crawl: Crawl) -> None:
    site.page("/", "/docs", "/docs/", "/gone", "/gone/")
    site.page("/docs/", "/more")
    site.page("/more")
    run = crawl(domains=site.url, SITEMAPS="off")
    assert sorted(asked(site)) == ["/", "/docs", "/docs/", "/gone", "/gone/", "/more"]
    assert run.report["pages"]["fetched"] == 3
    assert run.skipped == {"http_404": 3}
    assert run.report["disagreements"] == []


def test_a_redirect_to_a_trailing_slash_is_counted(site: Any, crawl: Crawl) -> None:
    site.page("/", "/docs")
    site.answers["/docs"] = (301, {"Location": "/docs/"}, b"")
    site.page("/docs/")
    run = crawl(domains=site.url, SITEMAPS="off")
    skipped = {"redirected": 1}
    assert run.report["pages"] == {"seen": 3, "open": 0, "fetched": 2, "skipped": skipped, "failed": {}}


def test_error_pages_with_the_status_of_a_page_are_left_out(site: Any, crawl: Crawl) -> None:
    def missing() -> tuple[int, dict[str, str], bytes]:
        words = "We are sorry, but what you were looking for is not on this site."
        return 200, {}, f"<html><head><title>Page not found</title></head><p>{words}</p></html>".encode()

    class Everything(dict[str, Any]):
        def get(self, path: str, default: Any = None) -> Any:
            return super().get(path, missing)

    site.page("/", "/a", "/typo-one", "/typo-two", "/404-explained")
    site.page("/a")
    site.page("/404-explained", text="What the status 404 means, and how a server should say it. " * 3)
    site.answers = Everything({**site.answers, "/robots.txt": (404, {}, b"")})
    run = crawl(domains=site.url, SITEMAPS="off")
    assert run.skipped == {"soft_404": 2}
    assert run.report["pages"]["fetched"] == 3
    assert run.stats["ragcrawler/soft_404/questions"] == 1


def test_an_honest_site_is_believed_when_it_writes_of_what_was_not_found(site: Any, crawl: Crawl) -> None:
    for path in ("/x", "/y"):
        site.answers[path] = (200, {}, f"<title>Not found: {path}</title><p>Water on {path}.</p>".encode())
    site.page("/", "/x", "/y")
    run = crawl(domains=site.url, SITEMAPS="off")
    assert run.report["pages"]["fetched"] == 3
    assert len([path for path in asked(site) if len(path) > 20]) == 1
    site.requests.clear()
    crawl(domains=site.url, SITEMAPS="off", SOFT_404=False)
    assert [path for path in asked(site) if len(path) > 20] == []

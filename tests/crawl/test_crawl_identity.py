"""One page has many URLs: each is asked for as its site spells it, and kept once."""

from collections.abc import Callable
from typing import Any

Crawl = Callable[..., Any]


def asked(site: Any) -> list[str]:
    return [path for path in site.requests if path not in ("/robots.txt", "/sitemap.xml", "/llms.txt")]


def test_a_url_is_asked_for_as_the_site_spells_it(site: Any, crawl: Crawl) -> None:
    spelled = "/a%7eb/index.html?z=1&a=%c3%a4&utm_source=x"
    site.page("/", spelled, "/a~b?a=%C3%A4&z=1")
    site.page(spelled)
    run = crawl(domains=site.url, SITEMAPS="off")
    assert asked(site) == ["/", spelled]
    assert run.report["pages"]["seen"] == 2
    assert {document["url"] for document in run.documents} == {
        f"{site.url}/",
        f"{site.url}/a%7eb/index.html?z=1&a=%c3%a4",
    }


def test_where_one_spelling_is_missing_the_other_is_asked_for(site: Any, crawl: Crawl) -> None:
    site.page("/", "/docs", "/docs/", "/gone", "/gone/")
    site.page("/docs/", "/more")
    site.page("/more")
    run = crawl(domains=site.url, SITEMAPS="off")
    assert sorted(asked(site)) == ["/", "/docs", "/docs/", "/gone", "/gone/", "/more"]
    assert run.report["pages"]["fetched"] == 3
    assert run.skipped == {"http_404": 1}
    assert run.report["disagreements"] == []


def test_a_redirect_to_another_spelling_is_the_page_itself(site: Any, crawl: Crawl) -> None:
    site.page("/", "/docs")
    site.answers["/docs"] = (301, {"Location": "/docs/"}, b"")
    site.page("/docs/")
    run = crawl(domains=site.url, SITEMAPS="off")
    assert run.report["pages"] == {"seen": 2, "open": 0, "fetched": 2, "skipped": {}, "failed": {}}


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

"""Pages that no link leads to: sitemaps, llms.txt, feeds, translations."""

import gzip
from collections.abc import Callable
from typing import Any

import pytest

Crawl = Callable[..., Any]


def urlset(*urls: str) -> bytes:
    return f"<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>".encode()


def index(*urls: str) -> bytes:
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f"<sitemapindex>{entries}</sitemapindex>".encode()


def put(site: Any, path: str, body: bytes, kind: str = "application/xml") -> None:
    site.answers[path] = (200, {"Content-Type": kind}, body)


def paths(run: Any) -> set[str]:
    return {"/" + page["final_url"].split("/", 3)[3] for page in run.documents}


@pytest.fixture
def fetch(crawl: Crawl) -> Crawl:
    """Crawl without pipelines: how a page is found is decided before them."""
    return lambda **keywords: crawl(ITEM_PIPELINES={}, **keywords)


@pytest.fixture
def lone(site: Any) -> Any:
    """A start page without links, and a page nobody links to."""
    site.page("/")
    site.page("/lone")
    return site


def test_a_page_of_the_sitemap_in_the_usual_place_is_found(lone: Any, fetch: Crawl) -> None:
    put(lone, "/sitemap.xml", urlset(f"{lone.url}/lone"))
    run = fetch(domains=lone.url)
    assert paths(run) == {"/", "/lone"}
    assert run.report["pages"]["seen"] == 2
    assert run.stats["ragcrawler/discovery/listings"] == 1


def test_robots_txt_says_where_the_sitemaps_are(lone: Any, fetch: Crawl) -> None:
    put(lone, "/robots.txt", f"Sitemap: {lone.url}/maps/index.xml".encode(), "text/plain")
    put(lone, "/maps/index.xml", index(f"{lone.url}/maps/one.xml.gz"))
    put(lone, "/maps/one.xml.gz", gzip.compress(urlset(f"{lone.url}/lone")), "application/gzip")
    assert paths(fetch(domains=lone.url)) == {"/", "/lone"}
    assert "/sitemap.xml" not in lone.requests


def test_the_other_usual_place_is_tried_where_the_first_has_nothing(lone: Any, fetch: Crawl) -> None:
    put(lone, "/sitemap_index.xml", index(f"{lone.url}/one.xml"))
    put(lone, "/one.xml", urlset(f"{lone.url}/lone"))
    assert paths(fetch(domains=lone.url)) == {"/", "/lone"}


def test_a_page_in_the_place_of_a_sitemap_is_none(lone: Any, fetch: Crawl) -> None:
    for path in ("/sitemap.xml", "/llms.txt"):
        lone.page(path, "/never")
    put(lone, "/sitemap_index.xml", urlset(f"{lone.url}/lone"))
    run = fetch(domains=lone.url)
    assert paths(run) == {"/", "/lone"}
    assert run.stats["ragcrawler/discovery/listings"] == 1
    assert run.stats["ragcrawler/discovery/missing"] == 2


def test_a_sitemap_beside_a_path_prefix_is_found_and_its_entries_stay_in_scope(
    site: Any, fetch: Crawl
) -> None:
    site.page("/docs/")
    site.page("/docs/lone")
    put(site, "/sitemap.xml", urlset(f"{site.url}/docs/lone", f"{site.url}/blog", "https://b.example/docs/"))
    run = fetch(domains=f"{site.url}/docs/")
    assert paths(run) == {"/docs/", "/docs/lone"}
    assert run.skipped == {"offsite": 2}


def test_entries_of_a_sitemap_are_judged_like_links(lone: Any, fetch: Crawl) -> None:
    names = ("/contact.html", "/photo.jpg", "/draft/x", "/gone", "/lone", "/lone")
    put(lone, "/sitemap.xml", urlset(*(lone.url + name for name in names)))
    run = fetch(domains=lone.url, exclude="/draft/")
    assert run.skipped == {"junk": 1, "media": 1, "excluded": 1, "http_404": 1}
    assert paths(run) == {"/", "/lone"}


def test_a_crawl_of_some_depth_asks_for_no_sitemap_unless_told_to(lone: Any, fetch: Crawl) -> None:
    put(lone, "/sitemap.xml", urlset(f"{lone.url}/lone"))
    fetch(domains=lone.url, max_depth="1")
    assert not {"/sitemap.xml", "/lone"} & set(lone.requests)
    fetch(domains=lone.url, max_depth="1", SITEMAPS="always")
    assert {"/sitemap.xml", "/lone"} <= set(lone.requests)


def test_sitemaps_can_be_switched_off(lone: Any, fetch: Crawl) -> None:
    put(lone, "/sitemap.xml", urlset(f"{lone.url}/lone"))
    assert paths(fetch(domains=lone.url, SITEMAPS="off")) == {"/"}
    assert lone.requests == ["/robots.txt", "/"]


def test_a_start_page_that_is_missing_does_not_hide_the_sitemap(site: Any, fetch: Crawl) -> None:
    site.page("/lone")
    put(site, "/sitemap.xml", urlset(f"{site.url}/lone"))
    run = fetch(domains=site.url)
    assert paths(run) == {"/lone"}
    assert run.skipped == {"http_404": 1}


def test_a_sitemap_that_a_page_links_to_is_no_page(lone: Any, fetch: Crawl) -> None:
    lone.page("/", "/map.xml")
    put(lone, "/map.xml", urlset(f"{lone.url}/lone"))
    run = fetch(domains=lone.url)
    assert paths(run) == {"/", "/lone"}
    assert run.skipped == {"listing": 1}


def test_a_feed_that_the_start_page_names_is_read(lone: Any, fetch: Crawl) -> None:
    head = b'<head><link rel="alternate" type="application/rss+xml" href="/feed"></head>'
    lone.answers["/"] = (200, {}, b"<html>" + head + b"<p>Words enough for a page of its own.</p></html>")
    put(lone, "/feed", b"<rss><channel><item><link>/lone</link></item></channel></rss>")
    assert paths(fetch(domains=lone.url)) == {"/", "/lone"}


def test_translations_that_a_page_names_are_followed(site: Any, fetch: Crawl) -> None:
    head = b'<head><link rel="alternate" hreflang="de" href="/de/"></head>'
    site.answers["/"] = (200, {}, b"<html>" + head + b"<p>Words enough for a page of its own.</p></html>")
    site.page("/de/")
    assert paths(fetch(domains=site.url)) == {"/", "/de/"}


def test_llms_txt_leads_to_pages_and_not_to_their_markdown_twins(site: Any, fetch: Crawl) -> None:
    for path in ("/", "/guide", "/manual.html", "/book/"):
        site.page(path)
    markdown = "# Notes\n\nOnly here, in Markdown, and nowhere else on this site."
    put(site, "/notes.md", markdown.encode(), "text/markdown")
    listed = (
        "- [g](guide.md)\n- [m](/manual.html.md)\n- [b](/book/index.html.md)\n- [n](notes.md)\n- [x](gone.md)"
    )
    put(site, "/llms.txt", listed.encode(), "text/plain")
    run = fetch(domains=site.url)
    assert paths(run) == {"/", "/guide", "/manual.html", "/book/", "/notes.md"}
    assert run.skipped == {"text_twin": 3, "http_404": 3}  # notes, gone, and gone.md
    assert "/guide.md" not in site.requests


def test_a_sitemap_bomb_costs_little_and_hides_nothing(lone: Any, fetch: Crawl) -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>'
    many = urlset(*(f"{lone.url}/{number}" for number in range(100)))
    put(lone, "/maps/bomb.xml", bomb)
    put(lone, "/maps/deep.xml", b"<urlset>" + b"<url>" * 100_000)
    put(lone, "/maps/gzip.xml", gzip.compress(b"<urlset>" + b" " * 3_000_000), "application/gzip")
    put(lone, "/maps/loop.xml", index(f"{lone.url}/maps/loop.xml", f"{lone.url}/robots.xml"))
    put(lone, "/maps/away.xml", index("https://b.example/sitemap.xml"))
    put(lone, "/maps/many.xml", many)
    put(lone, "/maps/good.xml", urlset(f"{lone.url}/lone"))
    names = ("good", "bomb", "deep", "gzip", "loop", "away", "many")
    put(lone, "/sitemap.xml", index(*(f"{lone.url}/maps/{name}.xml" for name in names)))
    run = fetch(domains=lone.url, SITEMAP_MAX_MEBIBYTES=1, SITEMAP_MAX_URLS=20, CONCURRENT_REQUESTS=1)
    assert paths(run) == {"/", "/lone"}
    stats = {name.rpartition("/")[2]: value for name, value in run.stats.items() if "/problems/" in name}
    assert stats == {"entities": 1, "too_large": 2, "offsite": 1}
    assert run.stats["ragcrawler/discovery/urls"] == 20
    assert run.stats["ragcrawler/discovery/urls_cut"] == 81
    assert run.skipped == {"http_404": 19}


def test_indexes_nest_only_so_deep_and_a_site_has_only_so_many(lone: Any, fetch: Crawl) -> None:
    for number in range(10):
        put(lone, f"/{number}.xml", index(f"{lone.url}/{number + 1}.xml"))
    put(lone, "/robots.txt", f"Sitemap: {lone.url}/0.xml".encode(), "text/plain")
    run = fetch(domains=lone.url, SITEMAP_MAX_NESTING=2)
    assert [path for path in lone.requests if path.endswith(".xml")] == ["/0.xml", "/1.xml", "/2.xml"]
    assert run.stats["ragcrawler/discovery/problems/nesting"] == 1
    lone.requests.clear()
    run = fetch(domains=lone.url, SITEMAP_MAX_NESTING=9, SITEMAP_MAX_FILES=4)
    assert sum(path.endswith(".xml") for path in lone.requests) == 3  # and llms.txt
    assert run.stats["ragcrawler/discovery/problems/too_many"] == 1


def test_the_pages_changed_last_are_taken_first(site: Any, fetch: Crawl) -> None:
    site.page("/")
    for year in (2024, 2026, 2025):
        site.page(f"/{year}")
    entries = "".join(
        f"<url><loc>{site.url}/{year}</loc><lastmod>{year}-05-01</lastmod></url>"
        for year in (2024, 2026, 2025)
    )
    put(site, "/sitemap.xml", f"<urlset>{entries}</urlset>".encode())
    assert paths(fetch(domains=site.url, SITEMAP_MAX_URLS=1)) == {"/", "/2026"}


def test_mirrors_are_kept_or_left_out_by_rule(site: Any, fetch: Crawl) -> None:
    names = ("/es/a/", "/en/a/", "/3.10/b/", "/3.11/b/", "/plain/")
    site.page("/", *names)
    for name in names:
        site.page(name)
    run = fetch(domains=site.url, languages="en", versions="latest")
    assert paths(run) == {"/", "/en/a/", "/3.11/b/", "/plain/"}
    assert run.skipped == {"other_language": 1, "other_version": 1}
    assert not {"/es/a/", "/3.10/b/"} & set(site.requests)


@pytest.mark.parametrize("asking", [{"max_depth": "5"}, {"SITEMAPS": "off"}], ids=["depth", "off"])
def test_a_page_that_only_the_sitemap_names_is_not_gone_when_nobody_asks_for_it(
    lone: Any, crawl: Crawl, asking: dict[str, str]
) -> None:
    put(lone, "/sitemap.xml", urlset(f"{lone.url}/lone"))
    before = crawl(domains=lone.url).report["collection_points"]
    for _ in range(2):
        run = crawl(domains=lone.url, GONE_AFTER=1, DELETE_BRAKE=100, **asking)
    assert run.report["collection_points"] == before

"""Sitemaps, feeds and llms.txt: what they name, whatever they are made of."""

import gzip
import tracemalloc

import pytest

from ragcrawler.urls.listings import ListedUrl, ListingLimits, read_listing

SITEMAP = "https://a.org/sitemap.xml"
URLSET = (
    '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
    'xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">'
)


def sitemap(*urls: str) -> bytes:
    return (URLSET + "".join(f"<url><loc>{url}</loc></url>" for url in urls) + "</urlset>").encode()


def test_a_sitemap_names_pages_with_their_dates_and_translations() -> None:
    body = (
        f"{URLSET}<url><loc> https://a.org/x?b=2&amp;a=1 </loc><lastmod>2026-01-02</lastmod>"
        "<image:image><image:loc>https://a.org/x.png</image:loc></image:image>"
        '<xhtml:link rel="alternate" hreflang="DE" href="https://a.org/de/x"/></url></urlset>'
    )
    listing = read_listing(body.encode(), SITEMAP)
    assert listing.kind == "sitemap"
    assert set(listing.pages) == {
        ListedUrl("https://a.org/x?b=2&a=1", last_modified="2026-01-02"),
        ListedUrl("https://a.org/de/x", language="de"),
    }
    assert (listing.listings, listing.cut, listing.unusable, listing.problem) == ((), 0, 0, "")


@pytest.mark.parametrize(
    ("body", "url", "kind", "urls"),
    [
        pytest.param(gzip.compress(sitemap("https://a.org/x")), SITEMAP, "sitemap", ["x"], id="gzip"),
        pytest.param(b"\xef\xbb\xbf" + sitemap("https://a.org/x"), SITEMAP, "sitemap", ["x"], id="mark"),
        pytest.param(
            sitemap("https://a.org/x").decode().replace("?>", ' encoding="utf-16"?>', 1).encode("utf-16"),
            SITEMAP,
            "sitemap",
            ["x"],
            id="utf-16",
        ),
        pytest.param(sitemap("https://a.org/x?a&b=1"), SITEMAP, "sitemap", ["x?a&b=1"], id="bare-ampersand"),
        pytest.param(sitemap("<![CDATA[https://a.org/x?a&b]]>"), SITEMAP, "sitemap", ["x?a&b"], id="cdata"),
        pytest.param(
            sitemap("https://a.org/x")[:-12] + b"<ur", SITEMAP, "sitemap", [], id="cut-in-its-entry"
        ),
        pytest.param(
            sitemap("https://a.org/x", "https://a.org/y")[:-9] + b"</x>",
            SITEMAP,
            "sitemap",
            ["x", "y"],
            id="broken-at-its-end",
        ),
        pytest.param(
            b"<rss><channel><link>https://a.org/</link><item><link>/x</link></item></channel></rss>",
            "https://a.org/feed",
            "feed",
            ["", "x"],
            id="rss",
        ),
        pytest.param(
            b'<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="/feed"/>'
            b'<entry><link href="/x"/></entry></feed>',
            "https://a.org/feed",
            "feed",
            ["x"],
            id="atom",
        ),
        pytest.param(
            b"# Docs\n- [one](guide/x.md): first\n[mail](mailto:a@a.org) [here](#top) [two](<https://a.org/y>)",
            "https://a.org/llms.txt",
            "llms_text",
            ["guide/x.md", "y"],
            id="llms",
        ),
        pytest.param(
            b"https://a.org/x\r\n\r\n  https://a.org/y  \nno address\n",
            "https://a.org/sitemap.txt",
            "text",
            ["x", "y"],
            id="text",
        ),
        pytest.param(b"<!doctype html><html><body>gone", SITEMAP, "", [], id="page-instead"),
        pytest.param(b"", SITEMAP, "text", [], id="empty"),
    ],
)
def test_every_kind_of_listing_is_read(body: bytes, url: str, kind: str, urls: list[str]) -> None:
    listing = read_listing(body, url)
    assert listing.kind == kind
    assert [page.url for page in listing.pages] == [f"https://a.org/{path}" for path in urls]


def test_an_index_names_further_sitemaps() -> None:
    body = b"<sitemapindex><sitemap><loc>https://a.org/s1.xml.gz</loc></sitemap></sitemapindex>"
    listing = read_listing(body, SITEMAP)
    assert listing.kind == "sitemap_index"
    assert listing.listings == ("https://a.org/s1.xml.gz",)
    assert listing.pages == ()


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        pytest.param(
            b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
            b"<urlset><url><loc>https://a.org/&b;</loc></url></urlset>",
            "entities",
            id="entity-bomb",
        ),
        pytest.param(
            b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
            b"<urlset><url><loc>https://a.org/&a;</loc></url></urlset>",
            "entities",
            id="external-entity",
        ),
        pytest.param(b"<urlset>" + b"<a>" * 1_000_000, "too_large", id="deep"),
        pytest.param(b"<urlset>" + b"<a/>" * 1_000_000, "too_large", id="flat"),
        pytest.param(gzip.compress(b"<urlset>" + b" " * 5_000_000), "too_large", id="gzip-bomb"),
        pytest.param(b"\x1f\x8b" + b"no gzip at all", "too_large", id="broken-gzip"),
        pytest.param(b"<urlset><url>" + b"\xff" * 100, "malformed", id="no-text"),
    ],
)
def test_a_hostile_listing_names_nothing_and_says_why(body: bytes, problem: str) -> None:
    listing = read_listing(body, SITEMAP, limits=ListingLimits(max_bytes=4_000_000, max_urls=1000))
    assert listing.pages == ()
    assert listing.problem == problem


def test_a_long_listing_is_cut_and_says_how_many_entries_were_left() -> None:
    body = sitemap(*(f"https://a.org/{number}" for number in range(30)))
    listing = read_listing(body, SITEMAP, limits=ListingLimits(max_urls=10))
    assert (len(listing.pages), listing.cut) == (10, 20)


def test_what_is_no_address_is_counted() -> None:
    listing = read_listing(sitemap("ftp://a.org/x", "https://u:p@a.org/", "https://a.org/x"), SITEMAP)
    assert (len(listing.pages), listing.unusable) == (1, 2)


def test_a_text_too_long_for_an_address_costs_no_memory() -> None:
    listing = read_listing(sitemap("https://a.org/" + "x" * 1_000_000, "https://a.org/y"), SITEMAP)
    assert [page.url for page in listing.pages] == ["https://a.org/y"]


def test_a_gzip_bomb_is_not_decompressed_beyond_its_bound() -> None:
    bomb = gzip.compress(b" " * 100_000_000)
    tracemalloc.start()
    read_listing(bomb, SITEMAP, limits=ListingLimits(max_bytes=1_000_000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10_000_000

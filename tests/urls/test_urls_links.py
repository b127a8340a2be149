import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError
from ragcrawler.urls.links.page_links import PageLinks, extract_links

PAGE = "https://a.org/docs/guide/page.html?v=1"


def links(html: bytes | str, encoding: str = "utf-8", **options: object) -> list[str]:
    return list(extract_links(html, PAGE, encoding, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("reference", "url"),
    [
        ("next.html", "https://a.org/docs/guide/next.html"),
        ("./next.html", "https://a.org/docs/guide/next.html"),
        ("../api/", "https://a.org/docs/api/"),
        ("../../../../x", "https://a.org/x"),
        ("/x", "https://a.org/x"),
        ("//b.org/x", "https://b.org/x"),
        ("?v=2", "https://a.org/docs/guide/page.html?v=2"),
        ("http://b.org", "http://b.org/"),
        ("HTTPS://B.org/x", "https://b.org/x"),
        ("\\x\\y", "https://a.org/x/y"),
        (" next.html\n", "https://a.org/docs/guide/next.html"),
        ("ne\nxt.html", "https://a.org/docs/guide/next.html"),
        ("a b.html", "https://a.org/docs/guide/a%20b.html"),
        ("gewächshaus.html", "https://a.org/docs/guide/gew%C3%A4chshaus.html"),
        ("a:b.html/../x", None),
        ("./a:b.html", "https://a.org/docs/guide/a:b.html"),
        ("x?u=http://b.org/y", "https://a.org/docs/guide/x?u=http://b.org/y"),
        ("x?utm_source=mail#part", "https://a.org/docs/guide/x?utm_source=mail"),
        ("#part", None),
        ("", None),
        ("mailto:anna@a.org", None),
        ("javascript:void(0)", None),
        (" JavaScript:x", None),
        ("data:text/html,x", None),
        ("tel:+49", None),
    ],
)
def test_a_reference_becomes_a_canonical_url_or_nothing(reference: str, url: str | None) -> None:
    found = extract_links(f'<a href="{reference}">x</a>', PAGE)
    assert (list(found), found.unusable) == ([url] if url else [], 0)


@pytest.mark.parametrize(
    "reference", ["http://", "https:x", "//", "http://[::1", "http://a.org:x/", "//u:p@b.org/"]
)
def test_what_makes_no_url_is_counted(reference: str) -> None:
    assert extract_links(f'<a href="{reference}">', PAGE) == PageLinks(unusable=1)


def test_links_come_once_in_the_order_of_the_page() -> None:
    html = "<a href=b><area href=a><a href=b#x><a href='../guide/a'><frame src=c>"
    assert [url.rpartition("/")[2] for url in links(html)] == ["b", "a", "c"]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<link rel=next href=2><link rel='prev' href=0><link rel=stylesheet href=s.css>",
            ["2", "0"],
        ),
        ("<meta http-equiv=Refresh content='0; URL=\"new.html\"'>", ["new.html"]),
        ("<meta http-equiv=refresh content='5,new.html'>", ["new.html"]),
        ("<meta http-equiv=refresh content=30><meta name=x content='0; url=y'>", []),
        ("<iframe src=x></iframe><img src=y><form action=z>", []),
    ],
)
def test_only_what_leads_to_a_page_is_followed(html: str, expected: list[str]) -> None:
    assert [url.rpartition("/")[2] for url in links(html)] == expected


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("/other/", "https://a.org/other/x"),
        ("https://b.org/y/z", "https://b.org/y/x"),
        ("..", "https://a.org/docs/x"),
        ("mailto:anna", "https://a.org/docs/guide/x"),
        ("https://u:p@b.org/", "https://a.org/docs/guide/x"),
    ],
)
def test_the_first_usable_base_counts_wherever_it_stands(base: str, url: str) -> None:
    assert links(f"<a href=x><base target=_top><base href='{base}'><base href=/no/>") == [url]


@pytest.mark.parametrize(
    ("encoding", "query"), [("utf-8", "q=%C3%BC"), ("windows-1252", "q=%FC"), ("utf-16", "q=%C3%BC")]
)
def test_a_query_keeps_the_encoding_of_its_page_and_a_path_does_not(encoding: str, query: str) -> None:
    html = "<a href='/ü?q=ü'>".encode(encoding)
    assert links(html, encoding) == [f"https://a.org/%C3%BC?{query}"]


@pytest.mark.parametrize(
    "encoding", ["klingon", "punycode", "idna", "undefined", "zlib", "unicode_escape", "a\0b", ""]
)
def test_an_encoding_that_no_page_can_be_in_counts_as_utf_8(encoding: str) -> None:
    assert links("<a href='ü?ü'>".encode(), encoding) == ["https://a.org/docs/guide/%C3%BC?%C3%BC"]


@pytest.mark.parametrize(
    "encoding",
    ["latin-1", "windows-1251", "koi8-r", "Shift_JIS", "EUC-KR", "GB18030", "Big5", "utf-16", "UTF8"],
)
def test_the_encodings_of_the_web_are_read(encoding: str) -> None:
    html = "<a href=x>".encode(encoding)
    assert links(html, encoding) == ["https://a.org/docs/guide/x"]


def test_a_reference_to_a_huge_character_number_is_no_obstacle() -> None:
    assert len(links(f"<a href='x&#{'9' * 1500};'>")) == 1
    assert extract_links(f"<a href='x&#{'9' * 10_000};'>", PAGE) == PageLinks(unusable=1)


def test_a_page_without_an_http_address_is_an_error() -> None:
    with pytest.raises(UrlError):
        extract_links("<a href=x>", "file:///x")


def test_links_over_the_limit_are_counted_and_repeats_of_the_kept_are_not() -> None:
    html = "".join(f"<a href={number}>" for number in [*range(10), 0, 6])
    found = extract_links(html, PAGE, max_links=7)
    assert (len(found), found.cut) == (7, 3)


def test_megabytes_of_spaces_in_a_refresh_are_no_obstacle() -> None:
    spaces = " " * 1_000_000
    html = "<meta http-equiv=refresh content='{}'>"
    assert links(html.format(f"{spaces}0{spaces};{spaces}x")) == ["https://a.org/docs/guide/x"]
    assert links(html.format(f"{spaces}x")) == []


@pytest.mark.parametrize(
    ("html", "followed", "nofollow"),
    [
        ("<a href=x rel='noopener NoFollow'>", [], ["x"]),
        ("<a href=x rel=nofollowing>", ["x"], []),
        ("<a href=x rel=nofollow><a href=x>", ["x"], []),  # one link that may be followed is enough
        ("<a href=x><a href=x rel=nofollow>", ["x"], []),
        ("<a href=x#1 rel=nofollow><a href=x>", ["x"], []),
        ("<link rel='next nofollow' href=2>", [], ["2"]),
        ("<meta name=robots content=nofollow><a href=x>", ["x"], []),  # the caller decides
    ],
)
def test_links_with_nofollow_are_kept_apart(html: str, followed: list[str], nofollow: list[str]) -> None:
    found = extract_links(html, PAGE)
    assert [url.rpartition("/")[2] for url in found.urls] == followed
    assert [url.rpartition("/")[2] for url in found.nofollow] == nofollow


@pytest.mark.parametrize(
    ("html", "noindex", "nofollow"),
    [
        ("<p>", False, False),
        ("<meta name=Robots content='noindex, nofollow'>", True, True),
        ("<a href=x><meta name=robots content=none>", True, True),
        ("<meta name=robots content='index,follow'>", False, False),
        ("<meta name=ragcrawler content=noindex>", True, False),
        ("<meta name=RagCrawler content=noindex><meta name=robots content=nofollow>", True, True),
        ("<meta name=otherbot content=noindex>", False, False),
        ("<!-- <meta name=robots content=noindex> -->", False, False),
        ("<meta property=robots content=noindex>", False, False),
    ],
)
def test_robots_meta_tags_are_read_with_the_links(html: str, noindex: bool, nofollow: bool) -> None:
    robots = extract_links(html, PAGE, product_token="ragcrawler").robots
    assert (robots.noindex, robots.nofollow) == (noindex, nofollow)


def test_both_kinds_of_links_share_the_bound() -> None:
    html = "<a href=1 rel=nofollow><a href=2><a href=3 rel=nofollow><a href=4><a href=1>"
    found = extract_links(html, PAGE, max_links=2)
    assert (len(found.urls), len(found.nofollow), found.cut) == (2, 0, 2)


@settings(deadline=None)
@given(st.text(st.sampled_from("abÄ/.%2e:?=&#\\ \t[]@\ud800"), max_size=40))
def test_every_link_is_canonical_whatever_the_page_says(reference: str) -> None:
    for url in links(f'<a href="{reference}">'):
        assert canonical_url(url) == url


def test_a_page_names_its_own_address_its_translations_and_its_feeds() -> None:
    html = b"""<head><base href="https://a.org/docs/"><link rel="canonical" href="guide?utm_source=x#top">
        <link rel=alternate hreflang=DE href=/de/guide><link rel="alternate" hreflang="x-default" href=guide>
        <link rel=alternate type="application/rss+xml" href=/feed><link rel=next href=page2>
        <link rel=alternate type=application/json href=/oembed><link rel=stylesheet href=/style.css></head>"""
    links = extract_links(html, "https://a.org/x")
    assert links.canonical == ("https://a.org/docs/guide?utm_source=x",)
    assert links.languages == {"https://a.org/de/guide": "de", "https://a.org/docs/guide": "x-default"}
    assert links.feeds == ("https://a.org/feed",)
    assert links.urls == ("https://a.org/de/guide", "https://a.org/docs/guide", "https://a.org/docs/page2")


def test_what_a_page_names_is_bounded() -> None:
    html = b"".join(
        b'<link rel=canonical href="/%d"><link rel=alternate type="application/rss+xml" href="/%d">' % (i, i)
        for i in range(100)
    )
    links = extract_links(html, "https://a.org/")
    assert len(links.canonical) == 3
    assert len(links.feeds) == 3

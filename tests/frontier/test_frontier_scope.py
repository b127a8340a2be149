import pytest

from ragcrawler.frontier.scope import Scope
from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import ScopeError


@pytest.mark.parametrize(
    ("entry", "start_url", "fallback_url"),
    [
        ("a.org", "https://a.org/", "http://a.org/"),
        ("A.org/docs/", "https://a.org/docs/", "http://a.org/docs/"),
        ("https://a.org/docs/", "https://a.org/docs/", ""),
        ("http://a.org", "http://a.org/", ""),
        ("b.org:8080", "http://b.org:8080/", ""),
        ("b.org:443", "https://b.org/", ""),
        ("b.org:8443", "https://b.org:8443/", ""),
        ("b.org:80", "http://b.org/", ""),
        ("localhost", "http://localhost/", ""),
        ("127.0.0.1:9000", "http://127.0.0.1:9000/", ""),
        ("[::1]", "http://[::1]/", ""),
        ("http://intranet/", "http://intranet/", ""),
        ("intranet:8000", "http://intranet:8000/", ""),
        ("*.a.org", "https://a.org/", "http://a.org/"),
        ("https://*.a.org/docs/", "https://a.org/docs/", ""),
        ("münchen.example", "https://xn--mnchen-3ya.example/", "http://xn--mnchen-3ya.example/"),
        ("https://a.org/w/index.php?title=Main#top", "https://a.org/w/index.php?title=Main", ""),
    ],
)
def test_a_crawl_starts_at_the_entry(entry: str, start_url: str, fallback_url: str) -> None:
    scope = Scope.parse(entry)
    assert scope.start_urls == (start_url,)
    assert scope.fallback_url(start_url) == fallback_url
    assert scope.contains(start_url)
    assert not fallback_url or scope.contains(fallback_url)


@pytest.mark.parametrize(
    ("entry", "inside", "outside"),
    [
        ("a.org", "http://a.org/x https://a.org/ https://www.a.org/y", "https://b.a.org/ https://a.org:8080/ https://ba.org/"),
        ("www.a.org", "https://a.org/ https://www.a.org/", "https://b.a.org/ https://www.www.a.org/"),
        ("www.org", "https://www.org/", "https://org/"),
        ("*.a.org", "https://a.org/ https://b.a.org/ https://c.b.a.org/", "https://ba.org/ https://a.org.evil.example/"),
        ("b.org:8080", "http://b.org:8080/ https://b.org:8080/", "http://b.org/ http://b.org:8081/"),
        ("https://c.org/docs/", "https://c.org/docs/x http://c.org/docs", "https://c.org/ https://c.org/docs2 https://c.org/Docs/"),
        ("https://c.org/docs", "https://c.org/docs https://c.org/docs/x", "https://c.org/docsearch"),
        ("https://c.org/3.11", "https://c.org/3.11/library/", "https://c.org/3.12/ https://c.org/"),
        ("https://c.org/docs/index.html", "https://c.org/docs/x", "https://c.org/index.html"),
        ("https://c.org/gewächs/", "https://c.org/gew%C3%A4chs/x", "https://c.org/gew%C3%84chs/x"),
        ("localhost:9000", "http://localhost:9000/x", "http://127.0.0.1:9000/x"),
    ],
)  # fmt: skip
def test_a_url_is_inside_or_outside(entry: str, inside: str, outside: str) -> None:
    scope = Scope.parse(entry)
    assert [url for url in inside.split() if not scope.contains(canonical_url(url))] == []
    assert [url for url in outside.split() if scope.contains(canonical_url(url))] == []


def test_a_list_is_the_union_of_its_entries() -> None:
    scope = Scope.parse(" a.org, b.org:8080,,https://c.org/docs/ ,a.org")
    assert scope.start_urls == ("https://a.org/", "http://b.org:8080/", "https://c.org/docs/")
    assert scope == Scope.parse(["a.org", "b.org:8080", "https://c.org/docs/"])


def test_the_widest_prefix_that_was_asked_for_is_known() -> None:
    scope = Scope.parse("https://c.org/faq/,https://c.org/faq/old/")
    assert scope.prefix_of("https://c.org/faq/old/x") == "/faq/"
    assert scope.prefix_of("https://d.org/faq/x") == "/"


@pytest.mark.parametrize("nothing", ["", " , ,", [], ["", " "]])
def test_an_empty_list_says_what_to_give(nothing: str | list[str]) -> None:
    with pytest.raises(ScopeError, match=r"empty.*domains="):
        Scope.parse(nothing)


@pytest.mark.parametrize(
    "entry",
    [
        "docs",
        "a b.org",
        "ftp://a.org",
        "http//a.org",
        "a..org",
        "*",
        "*.",
        "a.*.org",
        "anna:secret@a.org",
        "a.org:99999",
        "?",
        "300.1.1.1",
    ],
)
def test_what_is_no_domain_is_named(entry: str) -> None:
    with pytest.raises(ScopeError, match="no domain") as caught:
        Scope.parse(f"good.org,{entry}")
    assert "secret" not in str(caught.value)

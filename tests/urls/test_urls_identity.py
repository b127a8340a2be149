"""Which spellings name one page, what is cited, and what an id is made of."""

import hashlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ragcrawler.frontier.ledger import UrlLedger
from ragcrawler.frontier.states.sqlite import SqliteState
from ragcrawler.frontier.target import Target
from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError
from ragcrawler.urls.identity import (
    broken_rule,
    cited_url,
    document_id,
    exact_document_id,
    exact_key,
    exact_url,
    is_same_page,
    url_key,
)

SESSION = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("/x", "/x"),
        ("/", "/"),
        ("/x/", "/x/"),
        ("/x//", "/x//"),
        ("/index.html", "/index.html"),
        ("/docs/Index.PHP", "/docs/Index.PHP"),
        ("/docs/default.aspx", "/docs/default.aspx"),
        ("/gew%c3%a4chshaus.html", "/gew%C3%A4chshaus.html"),
        ("/%7Euser/%41%2Db", "/~user/A-b"),
        ("/a%2fb", "/a%2Fb"),
        ("/100%", "/100%25"),
        ("/%zz%4", "/%25zz%254"),
        ("/%E9", "/%E9"),
        (f"/a;jsessionid={SESSION}", "/a"),
        (f"/a;JSESSIONID={SESSION};v=2/b", "/a;v=2/b"),
        ("/(S(lit3py55t21z5v55vlm25s55))/orders.aspx", "/orders.aspx"),
        ("/f(x)/orders", "/f(x)/orders"),
    ],
)
def test_a_path_has_one_key(path: str, key: str) -> None:
    assert url_key(f"https://a.org{path}") == f"https://a.org{key}"


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("b=2&a=1", "?a=1&b=2"),
        ("a=2&b=0&a=1", "?a=2&a=1&b=0"),
        ("b&a", "?a&b"),
        ("a=1&&b=2&", "?a=1&b=2"),
        ("q=a+b", "?q=a+b"),
        ("q=gr%c3%bcn", "?q=gr%C3%BCn"),
        ("utm_source=x&UTM_Campaign=y&id=7", "?id=7"),
        ("gclid=1&fbclid=2&msclkid=3&mc_eid=4&_ga=5", ""),
        ("gclidx=1&ref=home&source=menu", "?gclidx=1&ref=home&source=menu"),
        ("PHPSESSID=abc&page=2", "?page=2"),
        (f"sid={SESSION}&s={SESSION}", ""),
        (f"session_id={SESSION}&sessionid=8K2J4H6G8F0D2S4A6P8O0I2U4Y", ""),
        ("sid=5&s=word&session_id=12", "?s=word&session_id=12&sid=5"),
        (
            "s=pneumonoultramicroscopicsilicovolcanoconiosis",
            "?s=pneumonoultramicroscopicsilicovolcanoconiosis",
        ),
        ("pk_campaign=x&pk_user=7&mtm_kwd=y", "?pk_user=7"),
    ],
)
def test_a_query_is_sorted_and_freed_of_what_does_not_change_the_page(query: str, key: str) -> None:
    assert url_key(f"https://a.org/x?{query}") == f"https://a.org/x{key}"


@pytest.mark.parametrize(
    ("host", "key"),
    [
        ("www.a.org", "a.org"),
        ("www.www.a.org:8080", "a.org:8080"),
        ("www.org", "www.org"),
        ("mywww.a.org", "mywww.a.org"),
        ("[::1]", "[::1]"),
        ("127.0.0.1:8000", "127.0.0.1:8000"),
    ],
)
def test_www_does_not_tell_sites_apart(host: str, key: str) -> None:
    assert url_key(f"http://{host}/") == f"http://{key}/"


@pytest.mark.parametrize(
    ("url", "cited"),
    [
        ("https://www.a.org/docs/index.html?b=2&a=1", "https://www.a.org/docs/index.html?b=2&a=1"),
        ("https://a.org/x/?utm_source=y&b=2&PHPSESSID=abc&a=1", "https://a.org/x/?b=2&a=1"),
        ("https://a.org/x?gclid=1", "https://a.org/x"),
        (f"https://a.org/a;jsessionid={SESSION}", "https://a.org/a"),
    ],
)
def test_what_is_cited_has_the_sites_spelling_without_sessions_and_tracking(url: str, cited: str) -> None:
    assert cited_url(url) == cited


@pytest.mark.parametrize(
    ("url", "other", "rule"),
    [
        ("https://a.org/x", "https://www.a.org/x", "www"),
        ("https://a.org/x?a=1&b=2", "https://a.org/x?b=2&a=1", "order"),
        (f"https://a.org/x?sid={SESSION}", "https://a.org/x", "session"),
        (f"https://a.org/x?sid={SESSION}", f"https://a.org/x?sid={SESSION[::-1]}", "session"),
    ],
)
def test_a_rule_that_joins_two_urls_has_a_name(url: str, other: str, rule: str) -> None:
    assert is_same_page(url, other)
    assert exact_key(url) != exact_key(other)
    assert exact_document_id(url) not in {exact_document_id(other), document_id(url), document_id(other)}
    assert broken_rule(url, other) == broken_rule(other, url) == rule


@pytest.mark.parametrize("path", ["/docs/", "/docs/index.html", "/docs/default.html", "/docs/index.php"])
def test_a_folder_and_its_index_are_pages_of_their_own(path: str) -> None:
    assert not is_same_page(f"https://a.org{path}", "https://a.org/docs")


def test_a_page_apart_is_cited_with_what_may_be_a_session() -> None:
    assert exact_url(f"https://a.org/x?sid={SESSION}&utm_source=y&PHPSESSID=1") == (
        f"https://a.org/x?sid={SESSION}"
    )


def test_an_id_is_the_first_half_of_the_sha_256_of_the_key() -> None:
    url = "https://docs.example.org/page"
    assert document_id(url) == hashlib.sha256(url.encode()).hexdigest()[:32]
    assert document_id("https://www.docs.example.org/page?utm_source=x") == document_id(url)


def test_a_page_is_seen_once_in_all_its_spellings() -> None:
    ledger = UrlLedger(SqliteState().urls)
    assert ledger.add(Target("https://a.org/docs"))
    assert not ledger.add(Target("https://www.a.org/docs?gclid=1"))
    ledger.keep("https://www.a.org/docs")
    assert ledger.status("https://a.org/docs") == ("fetched", "")


@st.composite
def urls(draw: st.DrawFn) -> str:
    host = draw(
        st.sampled_from(["a.org", "www.a.org", "www.www.org", "[::1]", "127.0.0.1:8000", "WWW.a.org."])
    )
    parts = [
        "/",
        "..",
        ".",
        "a",
        "%2e",
        "%",
        "%41",
        "Ä",
        ";jsessionid=1",
        "(S(a))",
        "index.html",
        "(F(",
        "))",
    ]
    path = "".join(draw(st.lists(st.sampled_from([*parts, "/"]), max_size=10)))
    query = "".join(draw(st.lists(st.sampled_from(["a=1", "b", "&", "=", "%3d", "gclid=2", "s=", SESSION]))))
    return f"{draw(st.sampled_from(['http', 'https']))}://{host}/{path}?{query}"


@given(urls())
@example("http://a.org/;jsessionid=1;jsessionid=2/%2e%2e/..;jsessionid=3")
@example("http://a.org/(S(a))/(S(b))/x")
@example("http://a.org/x/.;jsessionid=1./y")
@example("http://a.org/x/..;jsessionid=1/index.html")
def test_the_key_of_a_key_is_itself_and_names_the_same_page(url: str) -> None:
    canonical = canonical_url(url)
    key = url_key(canonical)
    assert url_key(key) == key
    assert canonical_url(key) == key
    assert is_same_page(canonical, key)
    assert document_id(canonical) == document_id(key)


@given(urls())
def test_what_is_cited_is_canonical_and_names_the_same_page(url: str) -> None:
    canonical = canonical_url(url)
    cited = cited_url(canonical)
    assert cited_url(cited) == cited == canonical_url(cited)
    assert is_same_page(cited, canonical)


@given(st.text(max_size=60))
@example("http://\ud800")
@example("http://a.org/?\n\ud800")
def test_any_text_has_a_key_and_an_id(text: str) -> None:
    assert url_key(url_key(text)) == url_key(text)
    assert len(document_id(text)) == 32


@given(st.lists(st.from_regex(r"\Ahttps://[a-v]{1,9}\.org/[a-z]{1,9}\Z"), unique=True))
def test_different_pages_have_different_ids(pages: list[str]) -> None:
    assert len({document_id(url) for url in pages}) == len(pages)


@given(st.text(max_size=60))
def test_only_canonical_urls_are_asked_for_and_their_key_never_fails(text: str) -> None:
    try:
        canonical = canonical_url(f"https://a.org/{text}")
    except UrlError:
        return
    assert url_key(canonical).startswith("https://a.org/")

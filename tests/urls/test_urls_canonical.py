import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from w3lib.url import safe_url_string

from ragcrawler.urls.canonical import MAX_URL_CHARACTERS, canonical_url
from ragcrawler.urls.errors import UrlError


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("HTTP://Docs.Example.ORG", "http://docs.example.org/"),
        ("https://a.org.", "https://a.org/"),
        ("http://a.org:80/", "http://a.org/"),
        ("https://a.org:443/", "https://a.org/"),
        ("https://a.org:/", "https://a.org/"),
        ("http://a.org:443/", "http://a.org:443/"),
        ("http://a.org:08080/", "http://a.org:8080/"),
        ("  https://a.org/x\n", "https://a.org/x"),
        ("https://a.org/x\n  y", "https://a.org/x%20%20y"),
        ("https://a.org\\x\\y?a\\b", "https://a.org/x/y?a%5Cb"),
        ("https://a.org/x#part", "https://a.org/x"),
        ("https://a.org?x=1", "https://a.org/?x=1"),
        ("https://a.org/?", "https://a.org/"),
        ("https://www.a.org/index.html", "https://www.a.org/index.html"),
        ("https://a.org//x//", "https://a.org//x//"),
    ],
)
def test_the_frame_of_a_url_has_one_form(url: str, canonical: str) -> None:
    assert canonical_url(url) == canonical


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://BÜCHER.example/", "http://xn--bcher-kva.example/"),
        ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
        ("http://XN--bcher-KVA.example/", "http://xn--bcher-kva.example/"),
        ("http://straße.example/", "http://xn--strae-oqa.example/"),
        ("http://例え。テスト/", "http://xn--r8jz45g.xn--zckzah/"),
        ("http://[::0:1]:80/", "http://[::1]/"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/"),
        ("http://my_host.example/", "http://my_host.example/"),
    ],
)
def test_a_host_has_one_form(url: str, canonical: str) -> None:
    assert canonical_url(url) == canonical


@pytest.mark.parametrize(
    ("path", "canonical"),
    [
        ("/gewächshaus.html", "/gew%C3%A4chshaus.html"),
        ("/gew%c3%a4chshaus.html", "/gew%c3%a4chshaus.html"),
        ("/%7Euser/%41%2Db", "/%7Euser/%41%2Db"),
        ("/a%2fb", "/a%2fb"),
        ("/a b", "/a%20b"),
        ("/100%", "/100%"),
        ("/%zz%4", "/%zz%4"),
        ("/%E9", "/%E9"),
        ("/a|b[c]", "/a%7Cb%5Bc%5D"),
        ("/a/./b/../c", "/a/c"),
        ("/../../a", "/a"),
        ("/a/b/..", "/a/"),
        ("/a/.", "/a/"),
        ("/a/%2e%2E/b", "/b"),
        ("/a/%2e/b", "/a/b"),
        ("/a/.%2e", "/"),
        ("/..a/b..", "/..a/b.."),
        ("/%2ehidden/", "/%2ehidden/"),
        ("/a;jsessionid=0123456789abcdef", "/a;jsessionid=0123456789abcdef"),
    ],
)
def test_a_path_is_escaped_where_it_must_be_and_left_alone_else(path: str, canonical: str) -> None:
    assert canonical_url(f"https://a.org{path}") == f"https://a.org{canonical}"


@pytest.mark.parametrize(
    ("query", "canonical"),
    [
        ("b=2&a=1", "?b=2&a=1"),
        ("a=1&&b=2&", "?a=1&&b=2&"),
        ("q=a+b", "?q=a+b"),
        ("q=a%20b c", "?q=a%20b%20c"),
        ("q=gr%c3%bcn", "?q=gr%c3%bcn"),
        ("q=grün", "?q=gr%C3%BCn"),
        ("q='x'", "?q=%27x%27"),
        ("q=a%26b%3Dc", "?q=a%26b%3Dc"),
        ("utm_source=x&PHPSESSID=abc", "?utm_source=x&PHPSESSID=abc"),
    ],
)
def test_a_query_keeps_its_order_and_all_it_says(query: str, canonical: str) -> None:
    assert canonical_url(f"https://a.org/x?{query}") == f"https://a.org/x{canonical}"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("", "not_a_url"),
        ("docs.example.org", "not_a_url"),
        ("//a.org/x", "not_a_url"),
        ("mailto:a@b.org", "not_http"),
        ("ftp://a.org/", "not_http"),
        ("javascript:alert(1)", "not_http"),
        ("https:a.org", "not_http"),
        ("https://", "bad_host"),
        ("https:///x", "bad_host"),
        ("https://a b.org/", "bad_host"),
        ("https://a..org/", "bad_host"),
        ("https://-a.org/", "bad_host"),
        (f"https://{'a' * 64}.org/", "bad_host"),
        ("https://a%00.org/", "bad_host"),
        ("https://a%2F.org/", "bad_host"),
        ("http://2130706433/", "bad_host"),
        ("http://0x7f.1/", "bad_host"),
        ("http://127.1/", "bad_host"),
        ("http://[::1%25eth0]/", "bad_host"),
        ("http://[::1/", "bad_host"),
        ("http://[nonsense]/", "bad_host"),
        ("http://a.org:99999/", "bad_port"),
        ("http://a.org:0/", "bad_port"),
        ("http://a.org:x/", "bad_port"),
        ("http://a.org:٣/", "bad_port"),
        ("http://::1/", "bad_port"),
        ("https://anna:secret@a.org/", "credentials"),
        ("https://a.org@b.org/", "credentials"),
        (f"https://a.org/{'x' * MAX_URL_CHARACTERS}", "too_long"),
        (f"https://a.org/{'ä' * (MAX_URL_CHARACTERS // 6)}", "too_long"),
        (f"https://a.org/#{'x' * 8 * MAX_URL_CHARACTERS}", "too_long"),
    ],
)
def test_what_is_not_crawled_is_refused_with_a_reason(url: str, reason: str) -> None:
    with pytest.raises(UrlError) as caught:
        canonical_url(url)
    assert caught.value.reason == reason


def test_the_message_repeats_no_password() -> None:
    with pytest.raises(UrlError) as caught:
        canonical_url("https://anna:hunter2@a.org/")
    assert "hunter2" not in str(caught.value)
    assert "a.org" in str(caught.value)


@st.composite
def urls(draw: st.DrawFn) -> str:
    host = draw(st.sampled_from(["a.org", "Bücher.example", "[::1]", "127.0.0.1", "WWW.a.org."]))
    port = draw(st.sampled_from(["", ":80", ":443", ":8080"]))
    text = st.text(st.sampled_from("abÄ/.%2eEfF;:&=?+~'\"<>[]|\\ {}#\x7f\ud800(S)@sid"), max_size=30)
    return f"{draw(st.sampled_from(['http', 'HTTPS']))}://{host}{port}/{draw(text)}?{draw(text)}"


@settings(deadline=None)
@given(urls())
@example("http://a.org/;jsessionid=1;jsessionid=2/%2e%2e/..;jsessionid=3")
@example("http://a.org/(S(a))/(S(b))/x")
@example("http://a.org/x/.;jsessionid=1./y")
def test_the_canonical_form_of_a_canonical_url_is_itself(url: str) -> None:
    canonical = canonical_url(url)
    assert canonical_url(canonical) == canonical


@settings(deadline=None)
@given(urls())
def test_a_canonical_url_is_what_scrapy_sends(url: str) -> None:
    canonical = canonical_url(url)
    assert safe_url_string(canonical) == canonical


@settings(deadline=None)
@given(st.text(max_size=80))
@example("http://[")
@example("http://\ud800/")
def test_any_text_is_a_url_or_is_refused(text: str) -> None:
    for candidate in (text, f"http://{text}", f"https://a.org/{text}"):
        try:
            canonical = canonical_url(candidate)
        except UrlError:
            continue
        assert canonical.isascii()
        assert canonical.startswith(("http://", "https://"))
        assert canonical_url(canonical) == canonical

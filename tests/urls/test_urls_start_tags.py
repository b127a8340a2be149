from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from ragcrawler.urls.links.start_tags import link_tags


def hrefs(markup: str) -> list[str]:
    found = ((tag, tag.attributes()) for tag in link_tags(markup.encode("utf-8", "replace")))
    return [attributes["href"] for tag, attributes in found if tag.name == "a" and "href" in attributes]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<a href=x>", ["x"]),
        ("<A HREF='x'>", ["x"]),
        ('<a\nclass=b href = "x y" >', ["x y"]),
        ("<a/href=x>", ["x"]),
        ("<a href=x/>", ["x/"]),
        ("<a href=x href=y>", ["x"]),
        ("<a href>", [""]),
        ("<a href=>", [""]),
        ("<a data-href=x>", []),
        ("<abbr href=x><article href=x>", []),
        ("<a title='>' href=x>", ["x"]),
        ('<a title="a > b" href=x><a href=y>', ["x", "y"]),
        ('<div title="<a href=x>"><a href=y>', ["y"]),
        ("<div title=it's><a href=y>", ["y"]),
        ("<div a'b><a href=y>", ["y"]),
        ("<b='><a href=y>", ["y"]),
        ("<b ='><a href=y>", ["y"]),
        ("<b c=d='><a href=y>", ["y"]),
        ("<a =x href=y>", ["y"]),
        ('</div title="<a href=x>"><a href=y>', ["y"]),
        ("<!-- <a href=x> --><a href=y>", ["y"]),
        ("<!--><a href=y>", ["y"]),
        ("<!---><a href=y>", ["y"]),
        ("<!-- > <a href=x> --!><a href=y>", ["y"]),
        ("<!-- <a href=x>", []),
        ("<!doctype html><?php a?><a href=y>", ["y"]),
        ("<script>'<a href=x>'</script><a href=y>", ["y"]),
        ("<script>'<a href=x>'</scripts></SCRIPT ><a href=y>", ["y"]),
        ("<style><a href=x></style><a href=y>", ["y"]),
        ("<textarea><a href=x></textarea><a href=y>", ["y"]),
        ("<title><a href=x></title><a href=y>", ["y"]),
        ("<script><a href=x>", []),
        ("<noscript><a href=x></noscript>", ["x"]),
        ("<template><a href=x></template>", ["x"]),
        ("1 < 2 <<a href=y>", ["y"]),
        ("< a href=x>", []),
        ("<a href='x", ["x"]),
        ("<a href='?a=1&amp;b=2'>", ["?a=1&b=2"]),
        ("<a href='?a=1&copy=2&region=3&lt=4'>", ["?a=1&copy=2&region=3&lt=4"]),
        ("<a href='?a&region_code=1&notit;'>", ["?a&region_code=1&notit;"]),
        ("<a href='?a&copy;&lt'>", ["?a©<"]),
        ("<a href='&#47;x&#x2Fy'>", ["/x/y"]),
        (f"<a href='x&#{'9' * 9};'>", ["x\ufffd"]),
        ("<a href='ä\0'>", ["ä\0"]),
    ],
)
def test_a_link_is_read_as_browsers_read_it(markup: str, expected: list[str]) -> None:
    assert hrefs(markup) == expected


def test_all_elements_that_may_hold_a_link_come_in_document_order() -> None:
    markup = b"<base><link><meta><a><area><frame><b><img>"
    assert [tag.name for tag in link_tags(markup)] == ["base", "link", "meta", "a", "area", "frame"]


def test_bytes_that_are_no_utf_8_do_not_stop_the_reading() -> None:
    assert [tag.attributes() for tag in link_tags(b"<p>\xff\xfe<a href='\xff'>")] == [{"href": "\ufffd"}]


LINKS = ["<a href=x{}>", '<a href="y{}">', "<a title='>' href='z{}'>"]
NO_LINKS = ["<!-- <a href=c{}> -->", "<script>'<a href=s{}>'</script>", "<div data-x='<a href=d{}>'>"]
PIECES = st.sampled_from(
    [*LINKS, *NO_LINKS, "</a>", "<p>", "</p>", "text", "</div>", "<br/>", "<title><a></title>"]
)


@settings(deadline=None)
@given(st.lists(PIECES, max_size=30))
@example(["<div data-x='<a href=d{}>'>", "<a href=x{}>"])
def test_a_tree_has_the_same_links(pieces: list[str]) -> None:
    markup = "<body>" + "".join(piece.format(index) for index, piece in enumerate(pieces))
    tree = LexborHTMLParser(markup)
    # A tree repeats an open link in each paragraph behind it.
    assert Counter(hrefs(markup)) == Counter({node.attributes["href"]: 1 for node in tree.css("a[href]")})


TAGS = ["<", "<a", "<a ", "</a", "<b ", "<!", "<?", "<!--", "-->", "--!>", "<title>", "</title>", "<textarea"]
INNER = [
    " href=",
    " href",
    " HREF = ",
    "x",
    "=",
    "'",
    '"',
    ">",
    "/",
    " ",
    "\n",
    "&amp;",
    "&",
    "-",
    "!",
    "ä",
    "\0",
]
TOKENS = st.sampled_from([*TAGS, "<script", "</script", *INNER])
# The "x" keeps the quotes from opening a value; they close one that is open.
END = "x'\"x></script></style></title></textarea>-->"


@settings(deadline=None)
@given(st.lists(TOKENS, max_size=25).map("".join))
@example("<a/<=")
@example("<a=")
def test_broken_markup_has_the_links_that_a_tree_has(markup: str) -> None:
    page = f"<body>{markup}{END}<a href=last>"
    tree = LexborHTMLParser(page)
    found = hrefs(page)
    assert found[-1:] == ["last"]
    assert {href.replace("\0", "\ufffd") for href in found} == {
        node.attributes["href"] or "" for node in tree.css("a[href]")
    }


SIZE = 100_000


@pytest.mark.parametrize(
    "attack",
    [
        "<div>" * SIZE,
        "<p><font size=1></p></i>" * SIZE,
        "<ul><li>" * SIZE,
        "<!--->" * SIZE,
        "<!->" * SIZE,
        "<script></script>" * SIZE,
        "<a '" * SIZE + ">",
        "<a =" * SIZE + ">",
        "<b " + "x=1 " * SIZE + ">",
        "< " * SIZE,
        "</" * SIZE + ">",
        "&" * SIZE,
    ],
    ids=lambda attack: attack[:12],
)
def test_a_link_behind_a_hostile_page_is_found_in_reasonable_time(attack: str) -> None:
    # Anything worse than linear would not come back from these within the suite's patience.
    assert hrefs(f"{attack}<a href=last>")[-1:] == ["last"]


@pytest.mark.parametrize(
    "attack", ["<!-- " * SIZE, "<script>" * SIZE, "<title>" * SIZE, "<a title='" + '"<b' * SIZE]
)
def test_what_is_never_closed_swallows_the_rest_of_the_page(attack: str) -> None:
    assert hrefs(f"{attack}<a href=last>") == []

"""Pages made to break a converter: a typed error or a right result, never another exception."""

import random
from pathlib import Path

import pytest

from ragcrawler.conversion import ConversionError, ConversionLimits, convert
from ragcrawler.conversion.html.parse import parse
from ragcrawler.conversion.html.repair import cap_attributes
from ragcrawler.items import Anchor

URL = "https://a.example/"
WORDS = "some words that stand in the middle of it all " * 3
PAGES = [path.read_bytes() for path in sorted((Path(__file__).parent / "html_constructs").glob("*.html"))]


@pytest.mark.parametrize(
    "tag", ["div", "ul><li", "table><tr><td", "blockquote", "section", "dl><dd", "details", "x-y", "sup", "q"]
)
def test_a_hundred_thousand_nested_elements_are_too_deep(tag: str) -> None:
    with pytest.raises(ConversionError) as raised:
        convert(f"<{tag}>".encode() * 100_000 + WORDS.encode(), "text/html", URL)
    assert raised.value.reason == "too_deep"


@pytest.mark.parametrize("tag", ["b", "i", "font", "span", "em", "a href='x'"])
def test_formatting_that_is_never_closed_is_flattened(tag: str) -> None:
    body = "".join(f"<p><{tag}>{WORDS}</p>" for _ in range(1500))
    assert convert(body.encode(), "text/html", URL).markdown.count("in the middle of it all") > 1500


@pytest.mark.parametrize("tag", ["div", "ul><li", "blockquote", "b", "span", "dl><dd", "q", "table><tr><td"])
def test_nesting_up_to_the_limit_is_walked(tag: str) -> None:
    levels = 190 // (tag.count(">") + 1)
    body = f"<main><p>{WORDS}</p>" + f"<{tag}>" * levels + WORDS
    assert "in the middle of it all" in convert(body.encode(), "text/html", URL).markdown


def test_a_limit_on_nesting_is_obeyed() -> None:
    body = b"<div>" * 60 + WORDS.encode()
    assert convert(body, "text/html", URL).markdown
    with pytest.raises(ConversionError, match="max_nesting_levels = 50"):
        convert(body, "text/html", URL, limits=ConversionLimits(max_nesting_levels=50))


def test_a_body_over_the_limit_is_refused_unread() -> None:
    with pytest.raises(ConversionError) as raised:
        convert(b"<p>x" * 100, "text/html", URL, limits=ConversionLimits(max_input_bytes=399))
    assert raised.value.reason == "too_large"
    assert "400 bytes, over max_input_bytes = 399" in str(raised.value)


@pytest.mark.parametrize(
    "field", ["max_input_bytes", "max_pages", "max_decompressed_bytes", "max_nesting_levels"]
)
def test_a_limit_below_one_is_refused(field: str) -> None:
    with pytest.raises(ValueError, match=f"{field} is 0"):
        ConversionLimits(**{field: 0})


@pytest.mark.parametrize(
    "markup",
    [
        "<table><tr><td colspan=999999999 rowspan=999999999>x</td><td>y</td></tr><tr><td>z</td></tr></table>",
        "<table>" + "<tr><td rowspan=1000 colspan=1000>x" * 40 + "</table>",
        "<ol start=99999999999999999999><li>x</li></ol>",
        "<ol start=-5><li>x</li></ol>",
        "<pre>" + "`" * 5000 + "</pre>",
        "<code>" + "`" * 5000 + "</code>",
        "<a href='http://[::1'>x</a>",
        "<img src='http://[' alt=']['>",
        "<base href='http://['><a href=x>y</a>",
        "<math>" + "<mfrac>" * 100 + "x" + "</math>",
        "<p style='" + "overflow:hidden;" * 3000 + "'>x</p>",
        "<sup><a href='#n'>1</a></sup><p id=n>note <sup><a href='#n'>1</a></sup></p>",
        "<frameset><frame src=x></frameset>",
        "<plaintext>x</plaintext>",
        "<select><option>x</select><textarea>y</textarea>",
        "<svg><foreignObject><p>x</p></foreignObject></svg>",
        "<p>" + "&#0;&#x110000;&#xD800;&nosuch;" + "</p>",
        "<" * 2000,
        "<p " + "a=b " * 5000 + ">x</p>",
    ],
)
def test_odd_markup_is_converted(markup: str) -> None:
    page = f"<main><h1>Title</h1><p>{WORDS}</p>{markup}<p>{WORDS}</p></main>"
    assert "in the middle of it all" in convert(page.encode(), "text/html", URL).markdown


def test_invalid_utf8_is_replaced_not_raised() -> None:
    body = f"<main><h1>Title</h1><p>{WORDS}</p></main>".encode() + b"\xff\xfe\xc3(" + WORDS.encode()
    assert "# Title" in convert(body, "text/html; charset=utf-8", URL).markdown


@pytest.mark.parametrize("seed", range(60))
def test_mutated_pages_give_markdown_or_a_typed_error(seed: int) -> None:
    chance = random.Random(seed)
    body = bytearray(b"".join(chance.sample(PAGES, 6)))
    for _ in range(chance.randint(1, 60)):
        place = chance.randrange(len(body))
        match chance.randrange(4):
            case 0:
                body[place] = chance.randrange(256)
            case 1:
                del body[place : place + chance.randrange(40)]
            case 2:
                body[place:place] = chance.choice(
                    [b"<", b">", b"</p>", b"<table>", b"&#", b"'", b"<!--", b"<pre>", b"\0"]
                )
            case _:
                end = place + chance.randrange(200)
                body[place:place] = body[place:end]
    markdown, anchors = outcome(bytes(body))
    assert markdown.endswith("\n")
    assert all(0 <= anchor.line < markdown.count("\n") for anchor in anchors)


def outcome(body: bytes) -> tuple[str, tuple[Anchor, ...]]:
    """A mutation may comment the whole page out: its reason counts as a result, any other error does not."""
    try:
        converted = convert(body, "text/html", URL)
    except ConversionError as error:
        return f"{error.reason}\n", ()
    return converted.markdown, converted.anchors


def test_an_element_keeps_its_first_256_attributes() -> None:
    names = " ".join(f"a{number}='>'" for number in range(300))
    page = f"<p {names} title='last'>{WORDS}</p><script {names}>if (a <b) x = 1</script><p id=end>end</p>"
    root = parse(page, URL, ConversionLimits())
    assert [len(element.attrib) for element in root.iter("p", "script")] == [256, 256, 1]
    assert root.text_content().count("end") == 1


def test_a_program_that_compares_is_no_tag() -> None:
    program = "<script>for(i=0;i<n.length;i++){" + "a = b; " * 400 + "}</script><p>text</p>"
    assert cap_attributes(program) == program


def test_spans_are_clipped_to_the_table_and_dropped_where_they_would_blow_it_up() -> None:
    small = "<table><tr><td rowspan=9>a</td><td>b</td></tr><tr><td colspan=2>c</td></tr></table>"
    big = "<table>" + "<tr><td rowspan=1000 colspan=9>x</td></tr>" * 500 + "</table>"
    root = parse(small + big, URL, ConversionLimits())
    cells = list(root.iter("td"))
    assert [dict(cell.attrib) for cell in cells[:3]] == [{"rowspan": "2"}, {}, {"colspan": "2"}]
    assert not any(cell.attrib for cell in cells[3:])


def test_the_set_of_a_picture_may_be_blanks() -> None:
    blanks = " " * 300_000
    page = f'<p>{WORDS}</p><img alt="a" srcset="a.png{blanks}b">'
    assert "![a](" in convert(page.encode(), "text/html", URL).markdown

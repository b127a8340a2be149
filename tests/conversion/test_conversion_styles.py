"""Style sheets: what is read of them means what other parsers of CSS say, and takes bounded work."""

import pytest
import tinycss2
from cssselect import HTMLTranslator, parse
from lxml import html

from ragcrawler.conversion.html.preparation.styles import steps
from ragcrawler.conversion.html.preparation.styles.declarations import PROPERTIES, Declared, declarations
from ragcrawler.conversion.html.preparation.styles.selectors import SelectorMatch, read_selectors
from ragcrawler.conversion.html.preparation.styles.steps import Steps, StyleError

PAGE = """
<html><body id="top">
<div class="menu open" data-kind="a-b"><ul class="menu"><li class="x">one<li>two</ul></div>
<p class="x" title="Now">three</p><p class="menu x"><a href="#" lang="en">four</a></p></body></html>
"""


@pytest.mark.parametrize(
    "prelude",
    [
        "p",
        "P.x",
        "*",
        ".x",
        "#top .x",
        "body>div .x",
        ".menu .menu li",
        ".menu > .menu > li.x",
        "div > li",
        ".open .x, p.menu , #top",
        "li:first-child",
        "li:last-child, p:last-child",
        ":root",
        "html:root > body",
        ".x:hover",
        "a:link, p:link, li:nth-child(1)",
        ".x, a:only-child",
        ".x, p..y",
        "p:hover .x, a",
        ".x::before, .x",
        "a:after",
        "[title]",
        "p[title=Now]",
        "p[TITLE='Now']",
        'div[data-kind^="a"] li',
        "[data-kind$=b]",
        "[data-kind*='-']",
        "[data-kind*='']",
        "div ~ p",
        "div + p.x",
        "p:not(.menu)",
        "li:nth-child(2)",
        "[lang|=en]",
        ".x:is(p, li)",
        "..x",
        "p,",
        "",
        "a::before b",
        ".x:unknown(2)",
    ],
)
def test_selectors_mean_what_cssselect_says(prelude: str) -> None:
    root = html.document_fromstring(PAGE)
    try:
        trees = [tree for tree in parse(prelude) if tree.pseudo_element is None]
    except SyntaxError:
        trees = []
    read = read_selectors(prelude)
    assert [each.specificity for each in read] == [tree.specificity() for tree in trees]
    for tree, selector in zip(trees, read, strict=True):
        try:
            path = HTMLTranslator().selector_to_xpath(tree, prefix="descendant-or-self::")
        except Exception:  # noqa: BLE001 - a pseudo-class that is not known means nothing
            path = "self::nothing"
        assert SelectorMatch(root, Steps()).of(selector) == root.xpath(path)


@pytest.mark.parametrize(
    "text",
    [
        "display:none",
        " DISPLAY : None ! IMPORTANT ; display:block",
        "color:red;;color:#FFF;",
        "background: #fff url(a.png) no-repeat 0 / 50%",
        "clip: rect(1px, 1px, 1px, 1px)",
        "width:/**/1px",
        "*display:none;left:-9999px",
        "content:'a;display:none';top:0",
        "background:url(data:a;base64,b==);opacity:0",
        "transform:translate(calc(1px + (2px)))",
        "dis\\70lay:none",
        "color:",
        "color",
        "{display:none}",
        "filter:progid:DX.M(a=1);height:0",
        "a{left:0} width : 1PX",
    ],
)
def test_declarations_are_those_of_a_tokenizer(text: str) -> None:
    expected: dict[str, Declared] = {}
    for node in tinycss2.parse_blocks_contents(text):
        if node.type == "declaration" and node.lower_name in PROPERTIES:
            known = expected.get(node.lower_name)
            if known is None or node.important or not known.is_important:
                value = " ".join(tinycss2.serialize(node.value).lower().split())
                expected[node.lower_name] = Declared(value, node.important)
    assert declarations(text) == expected


@pytest.mark.parametrize(
    ("prelude", "texts"),
    [
        ("p:not(.menu, .y)", ["three"]),
        ("div:has(> ul > li.x)", ["onetwo"]),
        ("div:has(> li)", []),
        ("ul:has(+ p), div:has(~ p > a[lang])", ["onetwo"]),
        ("div:has(.open li)", []),
        (":is(.x, #no) a", ["four"]),
        ("li:nth-child(1 of .x)", ["one"]),
        (".x::-webkit-scrollbar, a", ["four"]),
        ("a:popover-open, a", ["four"]),
        ("a:has(:hover), li.x", ["one"]),
        ("a, *|", []),
        ("a $ b", []),
        ("a, [*|lang]", ["four"]),
        (f"a:nth-child({'9' * 5000}), li.x", ["one"]),
        (f"{', '.join(f'.none{number}' for number in range(500))}, li.x", ["one"]),
    ],
)
def test_selectors_that_cssselect_does_not_know_mean_what_browsers_say(
    prelude: str, texts: list[str]
) -> None:
    match = SelectorMatch(html.document_fromstring(PAGE), Steps())
    found = [element for selector in read_selectors(prelude) for element in match.of(selector)]
    assert [element.text_content().strip() for element in found] == texts


def test_a_selector_looks_past_a_thousand_siblings() -> None:
    root = html.document_fromstring(
        "<input checked type=checkbox>" + "<i></i>" * 3_000 + "<p class=x>text</p>"
    )
    (selector,) = read_selectors("input:checked ~ .x")
    assert [element.text for element in SelectorMatch(root, Steps()).of(selector)] == ["text"]


CHAIN = "<div class='a'>" * 150 + "<p class='x'>x</p>" + "</div>" * 150


@pytest.mark.parametrize(
    ("page", "prelude"),
    [
        (CHAIN, f".b {'.a ' * 60}p, .x {'.a ' * 60}p"),
        (CHAIN, " ".join(["div"] * 70)),
        ("<p class=b></p>" + "<p></p>" * 20_000, "p:nth-of-type(7)"),
        ("<p class=b></p>" + "<p></p>" * 20_000, "p:not(:first-of-type)"),
        ("<p class=b></p>" + "<p></p>" * 20_000, "p:not(.c ~ p ~ p ~ p)"),
        ("<div>" * 100 + "<p></p>" * 5_000, "*:has(* b) p"),
        (f"<p title='{'x' * 1_000_000}'></p>" * 9, ", ".join(f"[title~='x{n}']" for n in range(1000))),
        ("<p>", "p," * 200_000 + "p"),
    ],
)
def test_what_selectors_look_at_is_counted_and_bounded(
    page: str, prelude: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "_MAX_STEPS", 1_000_000)
    match = SelectorMatch(html.document_fromstring(page), Steps())
    with pytest.raises(StyleError):
        [match.of(selector) for selector in match.read(prelude)]

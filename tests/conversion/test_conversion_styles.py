"""Style sheets: what is read by a pattern means what the parsers of CSS say."""

import pytest
import tinycss2
from cssselect import HTMLTranslator, parse
from lxml import html

from ragcrawler.conversion.html.preparation.styles.declarations import PROPERTIES, Declared, declarations
from ragcrawler.conversion.html.preparation.styles.selector_match import SelectorMatch
from ragcrawler.conversion.html.preparation.styles.selectors import read_selectors

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
        assert SelectorMatch(root).of(selector) == root.xpath(path)


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


def test_a_long_chain_of_classes_is_matched_in_time_linear_in_the_depth() -> None:
    root = html.fragment_fromstring("<div class='a'>" * 150 + "<p class='b'>x</p>" + "</div>" * 150)
    match = SelectorMatch(root)
    for chain, count in ((".a " * 60, 1), (".a " * 150, 1), (".a " * 151, 0), (".b " + ".a " * 60, 0)):
        (selector,) = read_selectors(f"{chain}p")
        assert len(match.of(selector)) == count

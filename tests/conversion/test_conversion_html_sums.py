"""What is counted or looked up for all elements of a page at once, against the plain way to do it."""

from collections import Counter

import pytest
from lxml import html

from ragcrawler.conversion.html.attributes import with_attribute
from ragcrawler.conversion.html.preparation.formulas import mark_formulas
from ragcrawler.conversion.html.selection.block_scores import word_sums
from ragcrawler.conversion.html.selection.blocks import list_blocks

PAGE = """<html hidden><body class="page" hidden>one<section hidden=""><h2 id="a" style="">two words</h2>
<div><p hidden="until-found">three little words <span role="img" class="x">here</span></p>
<em>around <div>a block</div> in a line</em></div></section><p>four <b hidden>last</b></p></body></html>"""


@pytest.mark.parametrize("name", ["hidden", "role", "class", "id", "style", "data-none"])
def test_elements_with_an_attribute_come_in_order_and_without_the_outer_one(name: str) -> None:
    body = html.document_fromstring(PAGE).find("body")
    expected = [element for element in body.iterdescendants("*") if element.get(name) is not None]
    assert with_attribute(body, name) == expected


@pytest.mark.parametrize("step", [1, 2, 3])
def test_sums_are_those_of_adding_every_block_to_all_around_it(step: int) -> None:
    blocks = list_blocks(html.document_fromstring(PAGE).find("body"))
    keep = [index % step == 0 for index in range(len(blocks))]
    expected = Counter[html.HtmlElement]()
    for block, is_kept in zip(blocks, keep, strict=True):
        for element in block.path if is_kept else ():
            expected[element] += len(block.words)
    assert list(word_sums(blocks, keep).items()) == list(expected.items())
    assert sum(keep) > 1


@pytest.mark.parametrize(
    ("markup", "formulas"),
    [
        (r"<p>Let \(x_1 = 2\) be.</p>", ["x_1 = 2"]),
        (r"<p>a <b>b</b> \(x_1 = 2\) c <i>\(y^{2}\)</i></p>", ["x_1 = 2", "y^{2}"]),
        (r"<pre>\(x_1 = 2\)</pre><p>text</p>", []),
        (r"<div class='tex2jax_ignore'><p>a <b>b</b>\(x_1 = 2\)</p></div>", []),
        (r"<code>x</code><p>\(x_1 = 2\)</p>", ["x_1 = 2"]),
        (r"<p><code>x</code>\(x_1 = 2\)</p>", ["x_1 = 2"]),
        (r"<p>$x_1$</p>", []),
        (r"<script src='MathJax.js'></script><p>$$x_1$$</p>", ["x_1"]),
    ],
)
def test_formulas_are_found_where_text_is_read(markup: str, formulas: list[str]) -> None:
    body = html.document_fromstring(f"<html><body>{markup}</body></html>").find("body")
    mark_formulas(body)
    assert [element.text for element in body.iter("tex-inline", "tex-display")] == formulas

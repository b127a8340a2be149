"""The places a fragment can name: ids of headings and terms, each with its exact line."""

import pytest

from ragcrawler.conversion import ConversionLimits
from ragcrawler.conversion.html import convert_html

LONG = "<p>Some text<br>over lines</p><pre>a\n\nb</pre><ul><li>x</li><li>y</li></ul>"


@pytest.mark.parametrize(
    ("markup", "ids"),
    [
        ('<h2 id="own">Title</h2>', ["own"]),
        ('<section id="around"><h2>Title</h2></section>', ["around"]),
        (
            '<section id="around"><div id="inner"><h2 id="own">Title</h2></div></section>',
            ["own", "inner", "around"],
        ),
        ('<div id="around"><p></p><h2>Title</h2></div>', ["around"]),
        ('<h2><a name="inside"></a>Title</h2>', ["inside"]),
        ('<h2><span id="inside">Title</span></h2>', ["inside"]),
        ('<a name="before"></a><h2>Title</h2>', ["before"]),
        ('<p><a id="before"></a></p><h2>Title</h2>', ["before"]),
        ('<dl><dt id="term">Title</dt><dd>What it means.</dd></dl>', ["term"]),
        ('<dl><dt id="term">Title</dt><dd><pre>code</pre></dd></dl>', ["term"]),
        ('<ul><li><h2 id="item">Title</h2></li></ul>', ["item"]),
        ('<blockquote><h2 id="quoted">Title</h2></blockquote>', ["quoted"]),
        ('<h2 id="own">Title <a class="headerlink" href="#own">¶</a></h2>', ["own"]),
        ('<div><h2>Title</h2><a id="behind" href="#behind"></a></div>', ["behind"]),
        ('<h2>Title<a class="hash-link" id="zero" href="/p#zero">\u200b</a></h2>', ["zero"]),
        ("<h2>Title</h2>", []),
    ],
)
def test_ids_lead_to_the_line_of_the_title(markup: str, ids: list[str]) -> None:
    converted = convert_html(LONG + markup + LONG, "https://a.example/", ConversionLimits(), is_whole=True)
    lines = converted.markdown.split("\n")
    assert [anchor.id for anchor in converted.anchors] == ids
    assert all("Title" in lines[anchor.line] for anchor in converted.anchors)


@pytest.mark.parametrize(
    ("markup", "places"),
    [
        ('<p id="a">Here.</p>', {"a": "Here."}),
        ('<div id="a"><p>Here.</p><h2>Title</h2></div>', {"a": "Here."}),
        ('<a name="a"></a><p>Here.</p><p>There.</p>', {"a": "Here."}),
        ('<p><a name="a">Here</a> it is.</p>', {"a": "Here it is."}),
        ('<p>Here it <b><a name="a"></a>is</b>.</p><p>There.</p>', {"a": "Here it **is**."}),
        ('<p id="a">Here<br>and there.</p>', {"a": "Here\\"}),
        ('<ul><li id="a">Here.</li><li><a name="b"></a>There.</li></ul>', {"a": "- Here.", "b": "- There."}),
        ('<ol id="a"><li>Here.</li></ol>', {"a": "1. Here."}),
        ('<pre id="a">x = 1\ny = 2</pre>', {"a": "```"}),
        ('<blockquote id="a"><p>Here.</p></blockquote>', {"a": "> Here."}),
        ('<dl><dt>Term</dt><dd id="a">Here.</dd></dl>', {"a": ": Here."}),
        ('<details><summary id="a">Here</summary><p>x</p></details>', {"a": "**Here**"}),
        (
            '<table id="t"><tr><th>a</th><th>b</th></tr><tr id="r"><td rowspan=2>1</td><td id="c">2</td></tr>'
            "<tr><td>3</td></tr></table>",
            {"t": "| a | b |", "r": "| 1 | 2 |", "c": "| 1 | 2 |"},
        ),
        (
            '<figure id="a"><img src="x.png" alt="x"></figure><p>Text.</p>',
            {"a": "![x](https://a.example/x.png)"},
        ),
        ('<div class="note" id="a"><p>Here.</p></div>', {"a": "> Here."}),
        ('<p id="a">Here.</p><p id="a">There.</p>', {"a": "Here."}),
        # Parts of a layout, and ids that a program numbers anew with each page.
        ('<div id="page-content"><p id="yui_3_17_2_1_1">Here.</p><p id="ember12">x</p></div>', {}),
        ('<p id=":r1a:">Here.</p><p id="0c4cb6b2-1b7d-4f0e-9d1d-0f1f6f3b2a11">x</p>', {}),
    ],
)
def test_ids_of_other_blocks_lead_to_their_first_line(markup: str, places: dict[str, str]) -> None:
    converted = convert_html(markup, "https://a.example/", ConversionLimits(), is_whole=True)
    lines = converted.markdown.split("\n")
    found: dict[str, str] = {}
    for anchor in converted.anchors:
        found.setdefault(anchor.id, lines[anchor.line])
    assert {name: line for name, line in found.items() if name in places or not places} == places


def test_the_places_of_running_text_are_bounded() -> None:
    page = "".join(f'<p id="p{number}">{number}</p>' for number in range(20_100))
    converted = convert_html(page, "https://a.example/", ConversionLimits(), is_whole=True)
    assert len(converted.anchors) == 20_000


def test_anchors_stand_in_line_order() -> None:
    page = "".join(f'<h2 id="h{number}">Title {number}</h2>{LONG}' for number in range(40))
    converted = convert_html(page, "https://a.example/", ConversionLimits(), is_whole=True)
    lines = converted.markdown.split("\n")
    assert [lines[anchor.line] for anchor in converted.anchors] == [
        f"## Title {number}" for number in range(40)
    ]


def test_characters_that_serve_as_marks_cannot_come_from_the_page() -> None:
    page = "<h2 id='a'>\ufdd0Title\ufdd1 &#xFDD0;7&#xFDD1;</h2><p>one\ufdd2two</p>"
    converted = convert_html(page, "https://a.example/", ConversionLimits(), is_whole=True)
    assert [(anchor.line, anchor.id) for anchor in converted.anchors] == [(0, "a")]
    assert converted.markdown == "## \ufffdTitle\ufffd \ufffd7\ufffd\n\none\ufffdtwo\n"

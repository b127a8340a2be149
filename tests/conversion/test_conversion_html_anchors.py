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
        ('<div id="around"><p>Text first.</p><h2>Title</h2></div>', []),
        ('<h2><a name="inside"></a>Title</h2>', ["inside"]),
        ('<h2><span id="inside">Title</span></h2>', ["inside"]),
        ('<a name="before"></a><h2>Title</h2>', ["before"]),
        ('<p><a id="before"></a></p><h2>Title</h2>', ["before"]),
        ('<p id="paragraph">Words.</p><h2>Title</h2>', []),
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

"""Each construct of HTML as Markdown: a page and what becomes of it, side by side in `html_constructs/`."""

from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from ragcrawler.conversion import ConversionLimits
from ragcrawler.conversion.html import convert_html

URL = "https://docs.example/guide/page.html"
CASES = sorted((Path(__file__).parent / "html_constructs").glob("*.html"))


def whole(page: str) -> str:
    return convert_html(page, URL, ConversionLimits(), is_whole=True).markdown


@pytest.mark.parametrize("page", CASES, ids=lambda page: page.stem)
def test_the_construct_becomes_its_golden_markdown(page: Path) -> None:
    assert whole(page.read_text(encoding="utf-8")) == page.with_suffix(".md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "text",
    [
        "a *b* _c_ `d` **e**",
        "<script> & &amp; <!-- x -->",
        "[link](url) ![image](url) [ref]: x",
        r"C:\new\*dir \\ \_",
        "~~struck~~ ~",
        "* * * word",
        "# heading #",
        "1) one",
        "+ plus",
        "- dash",
        "> quote",
        "-- word",
        "``` code",
        "| a | b |",
        ": definition",
        "snake_case_name __init__ *args **kwargs",
    ],
)
def test_text_comes_back_from_its_markdown_as_it_was(text: str) -> None:
    page = f"<p>{text.replace('&', '&amp;').replace('<', '&lt;')}</p>"
    inline = [token for token in MarkdownIt().enable("strikethrough").parse(whole(page)) if token.children]
    assert len(inline) == 1
    assert inline[0].level == 1
    assert {child.type for child in inline[0].children or []} <= {"text"}
    assert "".join(child.content for child in inline[0].children or []) == " ".join(text.split())


@pytest.mark.parametrize(
    ("classes", "language"),
    [
        (
            '<div class="highlight-python3 notranslate"><div class="highlight"><pre>x</pre></div></div>',
            "python3",
        ),
        ('<div class="highlight-default notranslate"><div class="highlight"><pre>x</pre></div></div>', ""),
        ('<div class="highlight highlight-source-rust"><pre>x</pre></div>', "rust"),
        ('<pre><code class="language-js">x</code></pre>', "js"),
        ('<pre class="language-c++">x</pre>', "c++"),
        ('<pre><code class="hljs go">x</code></pre>', "go"),
        ('<pre><code class="lang-ts hljs">x</code></pre>', "ts"),
        ('<pre class="brush: sql; gutter: false">x</pre>', "sql"),
        ('<div class="sourceCode"><pre class="sourceCode haskell"><code>x</code></pre></div>', "haskell"),
        ('<pre class="rouge highlight"><code data-lang="ruby">x</code></pre>', "ruby"),
        ('<div class="language-bash extra"><div class="code"><pre>x</pre></div></div>', "bash"),
        ('<pre class="literal-block">x</pre>', ""),
        ('<pre class="highlight">x</pre>', ""),
        ('<pre class="code wide active">x</pre>', ""),
        ('<div class="highlight-none"><div class="highlight"><pre>x</pre></div></div>', ""),
    ],
)
def test_the_language_comes_from_the_highlighters_classes(classes: str, language: str) -> None:
    assert whole(f"<p>Before.</p>{classes}").split("\n")[2] == f"```{language}"


def test_code_keeps_every_space_and_blank_line() -> None:
    code = "def f():\n\n\n    if x:\n\ty = `z`\n\n# done"
    highlighted = code.replace("def", '<span class="k">def</span>').replace("x", '<span class="n">x</span>')
    assert f"\n{code}\n" in whole(f"<p>Code:</p><pre><span></span>{highlighted}\n</pre>")


def test_links_of_the_page_itself_stay_fragments_and_others_become_absolute() -> None:
    markdown = whole(
        '<p><a href="#a">one</a> <a href="../b?c=1#d">two</a> <a href="mailto:x@y">three</a></p>'
    )
    assert markdown == "[one](#a) [two](https://docs.example/b?c=1#d) [three](mailto:x@y)\n"


def test_a_base_element_moves_every_link() -> None:
    page = '<base href="https://cdn.example/x/"><p><a href="#a">one</a> <a href="b">two</a></p>'
    assert whole(page) == "[one](https://cdn.example/x/#a) [two](https://cdn.example/x/b)\n"


@pytest.mark.parametrize(
    ("page", "markdown"),
    [
        ("<p>a<b>b</b>c</p>", "a**b**c"),
        ("<p>a<b>(b)</b>c</p>", "a(b)c"),
        ("<p>a <b>(b)</b> c</p>", "a **(b)** c"),
        ("<p>a<b> b </b>c</p>", "a **b** c"),
        ("<p><b>a:</b>b</p>", "a:b"),
        ("<p>a<b>.b</b></p>", "a.b"),
        ("<p><b><b>a</b></b> <i><b>b</b></i></p>", "**a** **b**"),
        ("<p><b></b>a<b> </b>b</p>", "a b"),
        ('<p><a href="x">a]</a></p>', "[a\\]](https://docs.example/guide/x)"),
        ('<p><a href="x">[a]</a></p>', "[[a]](https://docs.example/guide/x)"),
        ('<p><a href="a b(c)">d</a></p>', "[d](<https://docs.example/guide/a b(c)>)"),
    ],
)
def test_marks_are_set_only_where_they_are_read_as_marks(page: str, markdown: str) -> None:
    assert whole(page) == f"{markdown}\n"


def test_links_that_run_scripts_are_text() -> None:
    assert (
        whole('<p><a href="javascript:void(0)">one</a> <a href=" JavaScript:x()">two</a></p>') == "one two\n"
    )


def test_elements_of_xhtml_may_close_themselves() -> None:
    page = """<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">
    <head><title/><script src="x"/></head><body><a id="a"/><h1>Title</h1><p/><div class="x" />
    <p>Text<br/>more</p></body></html>"""
    converted = convert_html(page, URL, ConversionLimits(), is_whole=True)
    assert converted.markdown == "# Title\n\nText\\\nmore\n"
    assert [(anchor.line, anchor.id) for anchor in converted.anchors] == [(0, "a")]

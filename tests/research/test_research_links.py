"""The words around links, of web pages and of others."""

from ragcrawler.research.links.anchors import linking_page_of_html, linking_page_of_markdown

HTML = """<!doctype html><title>Pumps</title><h1>All pumps</h1>
<p>They move water, see <a href="/deep">deep wells</a> for the rest.</p>
<ul><li><a href="/acme">Acme</a></li><li><a href="/other" title="Others"></a></li></ul>
<a href="/acme">again</a> <a href="https://b.org/x#part">B</a>
<a href="/closed">closed</a> <a href="mailto:x">x</a>"""
FOLLOWED = {f"https://a.org/{path}" for path in ("deep", "acme", "other")} | {"https://b.org/x"}


def test_an_anchor_has_its_label_and_the_block_around_it() -> None:
    page = linking_page_of_html(HTML, "https://a.org/", FOLLOWED)
    assert {anchor.url: anchor.text for anchor in page.anchors} == {
        "https://a.org/deep": "deep wells. They move water, see deep wells for the rest",
        "https://a.org/acme": "Acme",
        "https://a.org/other": "Others",
        "https://b.org/x": "B",
    }
    assert page.beginning == "Pumps All pumps They move water, see deep wells for the rest."


def test_links_of_markdown_are_read_as_well_and_pictures_are_none() -> None:
    text = (
        "# A\n\nSee [the *founder*](../founder) of Acme. ![picture](x.png) [broken](http://[) [or](/founder)"
    )
    page = linking_page_of_markdown(text, "https://a.org/b/c", "T")
    assert [(anchor.url, anchor.text.split(". ")[0]) for anchor in page.anchors] == [
        ("https://a.org/founder", "the founder")
    ]


def test_hostile_brackets_take_no_time() -> None:
    page = linking_page_of_markdown("[" * 20_000 + "![a](b)" * 3_000 + "]", "https://a.org/", "")
    assert page.anchors == ()

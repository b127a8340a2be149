"""No label of a document is longer than 1,000 characters, and no text is lost for it."""

import json
from typing import Any

import pytest

from ragcrawler.conversion import convert
from ragcrawler.items import LABEL_CHARACTERS, bounded_label, split_label

URL = "https://a.example/page"
LONG = "vent " * 1_000
TEXT = "<p>The vents close at forty knots. They open again when the wind has dropped for an hour.</p>" * 3


def converted(body: str, content_type: str = "text/html; charset=utf-8") -> Any:
    return convert(body.encode(), content_type, URL)


def html(main: str, head: str = "<title>Vents</title>") -> Any:
    return converted(f"<html><head>{head}</head><body><main>{main}</main></body></html>")


@pytest.mark.parametrize(
    ("text", "label", "rest"),
    [
        ("", "", ""),
        ("short", "short", ""),
        ("x" * LABEL_CHARACTERS, "x" * LABEL_CHARACTERS, ""),
        ("x" * (LABEL_CHARACTERS + 1), "x" * (LABEL_CHARACTERS - 1) + "…", "xx"),
        (LONG, "vent " * 199 + "vent…", ("vent " * 800)),
    ],
)
def test_a_label_is_cut_between_words_where_it_has_any(text: str, label: str, rest: str) -> None:
    assert split_label(text) == (label, rest)
    assert bounded_label(text) == label
    assert len(label) <= LABEL_CHARACTERS


def test_a_long_title_is_cut_and_counted() -> None:
    made = html(TEXT, f"<title>{LONG}</title>")
    assert len(made.title) <= LABEL_CHARACTERS
    assert made.title.endswith("…")
    assert made.metadata.cut == ("title",)


def test_a_long_heading_goes_on_as_a_paragraph() -> None:
    made = html(f"<h1>{LONG}</h1>{TEXT}")
    heading, rest = made.markdown.split("\n\n")[:2]
    assert heading.startswith("# vent vent")
    assert len(heading) <= LABEL_CHARACTERS + len("# ")
    assert made.markdown.count("vent ") + made.markdown.count("vent…") >= 999
    assert rest.startswith("vent")
    assert "heading" in made.metadata.cut


def test_the_text_of_a_link_that_nobody_closed_stays() -> None:
    made = html(f'<p>Before <a href="/x">{LONG} end</a> after</p>{TEXT}')
    assert "heading" not in made.metadata.cut
    assert made.metadata.cut == ("link_text",)
    label = made.markdown.partition("[")[2].partition("](https://a.example/x)")[0]
    assert len(label) <= LABEL_CHARACTERS
    assert "end after" in made.markdown


@pytest.mark.parametrize(
    ("head", "field"),
    [
        (f'<meta name="description" content="{LONG}">', "description"),
        (f'<meta name="author" content="{LONG}">', "author"),
        (f'<meta property="og:site_name" content="{LONG}">', "site_name"),
        (f'<meta property="og:locale" content="{LONG}">', "language"),
    ],
)
def test_long_metadata_is_cut(head: str, field: str) -> None:
    made = html(TEXT, f"<title>Vents</title>{head}")
    assert 0 < len(getattr(made.metadata, field)) <= LABEL_CHARACTERS
    assert "metadata" in made.metadata.cut


def test_a_long_address_or_id_is_left_out() -> None:
    made = html(f'<h1 id="{"i" * 1_001}">Vents</h1>{TEXT}', f'<link rel="canonical" href="/{"x" * 1_000}">')
    assert made.metadata.canonical_url == ""
    assert made.anchors == ()
    assert made.metadata.cut == ("address", "anchor")


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (f"---\ntitle: {LONG}\nauthor: {LONG}\n---\n\nText.\n", "text/markdown"),
        (f"# {LONG}\n\nText.\n", "text/markdown"),
        (f"{LONG}\n{'=' * 5_000}\n\nText.\n", "text/x-rst"),
        (f"<rss><channel><title>{LONG}</title><item><title>a</title></item></channel></rss>", "text/xml"),
    ],
)
def test_other_formats_have_no_longer_titles(body: str, content_type: str) -> None:
    made = converted(body, content_type)
    assert len(made.title) <= LABEL_CHARACTERS
    assert "title" in made.metadata.cut


def test_what_is_short_is_not_touched() -> None:
    made = html(f"<h1>Vents</h1>{TEXT}")
    assert made.metadata.cut == ()


def test_the_name_of_a_code_language_is_short_or_none() -> None:
    made = html(f'<pre><code class="language-{"x" * 41}">a = 1</code></pre>{TEXT}')
    assert "```\na = 1\n```" in made.markdown


def test_json_that_is_mostly_brackets_is_not_indented() -> None:
    nested = "[" + ",".join(["[" * 400 + "]" * 400] * 50) + "]"
    assert len(converted(nested, "application/json").markdown) < 2 * len(nested)
    plain = json.dumps({"a": [1, 2, {"b": None}]})
    assert '  "a": [\n    1,' in converted(plain, "application/json").markdown

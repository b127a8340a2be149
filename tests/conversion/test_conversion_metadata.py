"""The canonical URL that a page declares."""

import pytest

from ragcrawler.conversion import Converted, convert

BODY = (
    "<main><h1>Heading</h1><p>"
    + "Words that make a page of some length for everybody to read. " * 4
    + "</p></main>"
)

_JSON_LD = """<script type="application/ld+json">
{"@context":"https://schema.org","@type":"Article","headline":"From JSON-LD"}</script>"""

_SITE_NAME = '<meta property="og:{}" content="The site">'


def page(head: str, attributes: str = "", body: str = BODY) -> Converted:
    html = f"<html {attributes}><head>{head}</head><body>{body}</body></html>"
    return convert(html.encode(), "text/html; charset=utf-8", "https://a.example/docs/page.html?x=1")


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ('<title>Title - Site</title><meta property="og:title" content="Open  Graph">', "Open Graph"),
        ("<title>Title - Site</title>", "Heading"),
        (_JSON_LD, "From JSON-LD"),
        (f"{_SITE_NAME.format('site_name')}{_SITE_NAME.format('title')}", "Heading"),
    ],
)
def test_the_title_is_the_best_that_the_page_offers(head: str, title: str) -> None:
    assert page(head).title == title


@pytest.mark.parametrize(
    ("head", "title"),
    [("<title>Heading | Site</title>", "Heading"), ("<title>Else</title>", "Site"), ("", "Site")],
)
def test_the_title_element_tells_the_heading_from_the_name_of_the_site(head: str, title: str) -> None:
    body = f"<header><h1>Site</h1></header>{BODY.replace('h1', 'h2')}"
    assert page(head, body=body).title == title


def test_a_title_without_headings_is_the_title_element() -> None:
    assert page("<title>Only this</title>", body=BODY.replace("h1", "p")).title == "Only this"


def test_the_permalink_sign_is_no_part_of_the_title() -> None:
    body = BODY.replace("Heading", 'Heading<a class="headerlink" href="#x">¶</a>')
    assert page("", body=body).title == "Heading"


def test_meta_open_graph_and_json_ld_fill_the_fields() -> None:
    head = """<meta name="description" content="What it is about">
    <meta property="og:site_name" content="The Site"><link rel="canonical" href="/docs/page.html">
    <meta property="article:published_time" content="2024-03-05T10:00:00Z">
    <meta property="article:modified_time" content="2024-06-07T10:00:00Z">
    <script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle",
    "author":{"@type":"Person","name":"Ada Lovelace"}}</script>"""
    metadata = page(head, 'lang="en-GB"').metadata
    assert metadata.description == "What it is about"
    assert metadata.site_name == "The Site"
    assert metadata.canonical_url == "https://a.example/docs/page.html"
    assert (metadata.published, metadata.modified) == ("2024-03-05", "2024-06-07")
    assert metadata.author == "Ada Lovelace"
    assert metadata.language == "en-GB"
    assert metadata.media_type == "text/html"


@pytest.mark.parametrize(
    ("head", "attributes", "language"),
    [
        ("", 'lang="de"', "de"),
        ("", 'xml:lang="fr"', "fr"),
        ('<meta property="og:locale" content="pt_BR">', "", "pt-BR"),
        ('<meta http-equiv="Content-Language" content="it, en">', "", "it"),
        ("", "", ""),
    ],
)
def test_the_language_is_declared_in_many_ways(head: str, attributes: str, language: str) -> None:
    assert page(head, attributes).metadata.language == language


@pytest.mark.parametrize("href", ["javascript:alert(1)", "http://[broken", "data:text/html,x"])
def test_a_canonical_address_that_is_none_is_left_out(href: str) -> None:
    assert page(f'<link rel="canonical" href="{href}">').metadata.canonical_url == ""


@pytest.mark.parametrize(
    "script",
    [
        "{",
        "[]",
        "null",
        '"x"',
        '{"@type": 7}',
        '{"@graph": "x"}',
        '{"author": [null, 3, {"name": null}]}',
        "[" * 5000,
    ],
)
def test_json_ld_of_any_shape_loses_no_page(script: str) -> None:
    converted = page(f'<script type="application/ld+json">{script}</script>')
    assert "# Heading" in converted.markdown


def test_a_page_that_says_nothing_has_empty_fields() -> None:
    metadata = page("").metadata
    assert (metadata.description, metadata.author, metadata.published, metadata.modified) == ("", "", "", "")
    assert metadata.canonical_url == ""

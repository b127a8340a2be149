"""A product's page takes what it declares in JSON-LD and does not show."""

import json

import pytest

from ragcrawler.conversion import convert

URL = "https://pots.example/product/blue-pot/"
DESCRIPTION = (
    "A pot of blue clay from the hills, fired twice, with a saucer that holds a day of rain for the herbs."
)
PRODUCT = {
    "@context": "https://schema.org",
    "@type": "Product",
    "name": "Blue pot",
    "description": DESCRIPTION,
    "offers": {"price": 19, "priceCurrency": "EUR", "availability": "https://schema.org/InStock"},
}
SHOWN = "".join(
    f"<p>Sentence {n} says how this pot is made, packed and sent to the garden.</p>" for n in range(9)
)


def markdown_of(*declared: object, shown: str = SHOWN) -> str:
    scripts = "".join(
        f'<script type="application/ld+json">{each if isinstance(each, str) else json.dumps(each)}</script>'
        for each in declared
    )
    head = f'<title>Pots</title><meta property="og:type" content="product">{scripts}'
    main = f'<main><div class="product">{shown}<a href="/c">Add to cart</a></div></main>'
    body = f'<body class="single-product">{main}</body>'
    return convert(f"<html><head>{head}</head>{body}</html>".encode(), "text/html", URL).markdown


@pytest.mark.parametrize("declared", [PRODUCT, {"@graph": [{"@type": "WebPage"}, PRODUCT]}, [PRODUCT]])
def test_name_description_and_offer_come_before_the_text(declared: object) -> None:
    assert markdown_of(declared).startswith(f"# Blue pot\n\n{DESCRIPTION}\n\n19 EUR InStock\n\nSentence 0")


def test_what_the_page_shows_is_not_repeated() -> None:
    markdown = markdown_of(PRODUCT, shown=f"<h1>Blue pot</h1><p>19 EUR</p><p>{DESCRIPTION}</p>{SHOWN}")
    assert (markdown.count("Blue pot"), markdown.count("fired twice"), markdown.count("19")) == (1, 1, 1)


def test_markup_in_a_declared_text_is_text() -> None:
    declared = PRODUCT | {
        "description": "<p>Fired <b>twice</b></p><style>p{}</style>",
        "name": "*Pot* <i>",
    }
    assert markdown_of(declared).startswith("# \\*Pot\\* \\<i>\n\nFired twice")


@pytest.mark.parametrize(
    "declared",
    [
        [],
        ["{not json"],
        ["[" * 50_000],
        [PRODUCT, PRODUCT | {"name": "Another"}],
        [{"@type": "Product", "name": {"@value": 1}, "offers": [None, "x"], "description": None}],
    ],
)
def test_unclear_or_broken_declarations_add_nothing(declared: list[object]) -> None:
    assert markdown_of(*declared).startswith("Sentence 0")


@pytest.mark.parametrize(
    "text",
    [
        "a\0b",
        "a\ufdd0b",
        "a\ud800b",
        "a<p>\x08b</p>",
        "a<!-- <b> -->b",
        "a<b>&#xfdd0;b",
        "<?x?>a b",
        "<a" * 900,
    ],
)
def test_no_character_that_a_tree_may_not_hold_comes_in_by_json(text: str) -> None:
    declared = json.dumps(PRODUCT | {"name": text, "description": text})
    markdown = markdown_of(declared)
    assert "Sentence 8" in markdown
    assert not set("\0\x08\ufdd0\ud800") & set(markdown)

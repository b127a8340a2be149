"""Grids of products stay on the pages that are there for them."""

import pytest

from ragcrawler.conversion import convert

URL = "https://shop.example/collections/lenses"
BLURB = (
    "<p>Our lenses are ground by hand in a small workshop by the sea, and every one of them is tested "
    "for a week before it leaves the house.</p><p>We have made them since 1921, for photographers who want "
    "to see what was there, and we repair all that we ever sold, at a price that we tell you before.</p>"
)


def cards(tag: str, name: str) -> str:
    return "".join(
        f'<{tag} class="{name}"><a href="/products/{number}"><h3>Lens {number} mm</h3></a>'
        f"<span>{number}9.00 EUR</span><p>{number} elements in {number} groups</p></{tag}>"
        for number in range(10, 34)
    )


@pytest.mark.parametrize(
    "grid",
    [
        '<div class="search-results">{}</div>',
        '<div id="search-results"><div class="search_results grid">{}</div></div>',
        '<ul class="products columns-4">{}</ul>',
        '<div class="product-grid">{}</div>',
    ],
)
@pytest.mark.parametrize("blurb", ["", BLURB, BLURB * 3])
def test_the_grid_of_a_shop_stays(grid: str, blurb: str) -> None:
    tag = "li" if grid.startswith("<ul") else "div"
    body = (
        f'<main><h1>Lenses</h1><div class="description">{blurb}</div>{grid.format(cards(tag, "card"))}</main>'
    )
    page = f"<html><head><title>Lenses</title></head><body>{body}</body></html>"
    markdown = convert(page.encode(), "text/html; charset=utf-8", URL).markdown
    assert [number for number in range(10, 34) if f"Lens {number} mm" not in markdown] == []
    assert [number for number in range(10, 34) if f"{number}9.00 EUR" not in markdown] == []
    assert ("by the sea" in markdown) == bool(blurb)

"""Which address a page may give as its own, and what is no address at all."""

import pytest

from ragcrawler.urls.links.declared_canonical import OwnAddress, own_address
from ragcrawler.urls.links.markdown_alternate import page_of_text_twin

A = "https://a.org"


@pytest.mark.parametrize(
    ("page", "named", "expected"),
    [
        (f"{A}/x", [], OwnAddress()),
        (f"{A}/x", [f"{A}/x"], OwnAddress()),
        (f"{A}/x/?utm_source=y", [f"{A}/x"], OwnAddress()),
        (f"{A}/x?view=print", [f"{A}/x"], OwnAddress(f"{A}/x")),
        (f"{A}/x", [f"{A}/y", f"{A}/y/"], OwnAddress(f"{A}/y/")),
        (f"{A}/x", [f"{A}/y", f"{A}/x"], OwnAddress()),
        (f"{A}/x", [f"{A}/y", f"{A}/z"], OwnAddress(doubt="conflicting")),
        (f"{A}/x", [f"{A}/"], OwnAddress(doubt="start_page")),
        (f"{A}/?page=2", [f"{A}/"], OwnAddress(f"{A}/")),
        (f"{A}/home.html", [f"{A}/"], OwnAddress(f"{A}/")),
    ],
)
def test_a_page_is_believed_where_it_makes_sense(page: str, named: list[str], expected: OwnAddress) -> None:
    assert own_address(page, named) == expected


@pytest.mark.parametrize(
    ("url", "page"),
    [
        (f"{A}/guide.md", f"{A}/guide"),
        (f"{A}/guide.html.md", f"{A}/guide.html"),
        (f"{A}/docs/index.html.md", f"{A}/docs/"),
        (f"{A}/docs/.md", ""),
        (f"{A}/guide.md?raw=1", ""),
        (f"{A}/guide.mdx", ""),
        (f"{A}/guide", ""),
    ],
)
def test_markdown_beside_a_page_names_it(url: str, page: str) -> None:
    assert page_of_text_twin(url) == page

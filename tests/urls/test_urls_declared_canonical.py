"""Which address a page may give as its own, and what is no address at all."""

import pytest

from ragcrawler.urls.links.declared_canonical import (
    DeclaredCanonical,
    declared_canonical,
    page_of_markdown_alternate,
)

A = "https://a.org"


@pytest.mark.parametrize(
    ("page", "named", "expected"),
    [
        (f"{A}/x", [], DeclaredCanonical()),
        (f"{A}/x", [f"{A}/x"], DeclaredCanonical()),
        (f"{A}/x?utm_source=y", [f"{A}/x"], DeclaredCanonical()),
        (f"{A}/x/", [f"{A}/x"], DeclaredCanonical(f"{A}/x")),
        (f"{A}/x?view=print", [f"{A}/x"], DeclaredCanonical(f"{A}/x")),
        (f"{A}/x", [f"{A}/y", f"{A}/y?gclid=1"], DeclaredCanonical(f"{A}/y?gclid=1")),
        (f"{A}/x", [f"{A}/y", f"{A}/x"], DeclaredCanonical()),
        (f"{A}/x", [f"{A}/y", f"{A}/z"], DeclaredCanonical(doubt="conflicting")),
        (f"{A}/x", [f"{A}/"], DeclaredCanonical(doubt="start_page")),
        (f"{A}/?page=2", [f"{A}/"], DeclaredCanonical(f"{A}/")),
        (f"{A}/home.html", [f"{A}/"], DeclaredCanonical(f"{A}/")),
    ],
)
def test_a_page_is_believed_where_it_makes_sense(
    page: str, named: list[str], expected: DeclaredCanonical
) -> None:
    assert declared_canonical(page, named) == expected


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
    assert page_of_markdown_alternate(url) == page

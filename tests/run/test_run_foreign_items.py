"""Items of spiders that know nothing of ours: which are pages, and as what they are read."""

from dataclasses import dataclass
from typing import Any

import pytest
from scrapy import Field, Item

from ragcrawler.conversion import convert
from ragcrawler.items import Document, Page
from ragcrawler.run.pages.foreign_items import page_of_item, page_url
from ragcrawler.urls.errors import UrlError
from ragcrawler.urls.identity import document_id

URL = "https://a.example/guide"


class Article(Item):
    url = Field()
    body = Field()
    author = Field()


@dataclass
class Note:
    url: str
    markdown: str
    title: str = ""


@dataclass
class Price:
    url: str
    amount: int


HTML = (
    "<html><body><main><h1>Pumps</h1><p>Über pumps and hoses there is much to say.</p></main></body></html>"
)


@pytest.mark.parametrize(
    ("item", "body", "content_type"),
    [
        ({"url": URL, "body": "text ü"}, "text ü".encode(), "text/html; charset=utf-8"),
        ({"url": URL, "body": b"bytes"}, b"bytes", ""),
        ({"url": URL, "body": b"%PDF", "content_type": "application/pdf"}, b"%PDF", "application/pdf"),
        # Text was decoded already: what its site said of the encoding is no longer true.
        (
            {"url": URL, "body": "ü", "content_type": "text/plain; charset=latin-1"},
            "ü".encode(),
            "text/plain; charset=utf-8",
        ),
        ({"url": URL, "markdown": "# A", "body": "<h1>B"}, b"# A", "text/markdown; charset=utf-8"),
        (Article(url=URL, body="x", author="y"), b"x", "text/html; charset=utf-8"),
        (Note(URL, "# A"), b"# A", "text/markdown; charset=utf-8"),
        ({"url": URL, "body": "\ud800"}, b"?", "text/html; charset=utf-8"),
    ],
)
def test_an_item_with_an_address_and_a_text_is_a_page(item: Any, body: bytes, content_type: str) -> None:
    page = page_of_item(item)
    assert page is not None
    assert (page.body, page.content_type, page.status) == (body, content_type, 200)
    assert (page.id, page.url, page.final_url) == (document_id(URL), URL, URL)
    assert page.fetched_at.endswith("+00:00")
    assert page_url(item) == URL


@pytest.mark.parametrize(
    "item",
    [
        {"name": "pump", "price": 3},
        {"url": URL},
        {"url": URL, "body": None},
        {"url": URL, "body": 5},
        {"body": "text"},
        {"url": None, "body": "text"},
        {"url": ["https://a.example"], "body": "text"},
        Article(url=URL),
        Price(URL, 3),
        {},
        "a string",
        None,
    ],
)
def test_other_items_are_no_pages(item: Any) -> None:
    assert page_of_item(item) is None
    assert page_url(item) == ""


@pytest.mark.parametrize("url", ["article-17", "ftp://a.example/x", "", "http://", "javascript:alert(1)"])
def test_a_text_without_an_address_of_the_web_is_refused_by_name(url: str) -> None:
    with pytest.raises(UrlError):
        page_of_item({"url": url, "body": "text"})
    assert page_url({"url": url, "body": "text"}) == ""


def test_what_else_an_item_says_of_its_page_is_kept_and_wrong_types_are_not() -> None:
    item = {
        "url": URL,
        "body": "x",
        "status": 203,
        "depth": "deep",
        "etag": '"1"',
        "fetched_at": "2026-01-01",
    }
    page = page_of_item(item | {"title": "Pumps", "parent_url": None})
    assert page is not None
    assert (page.status, page.depth, page.etag, page.fetched_at) == (203, 0, '"1"', "2026-01-01")
    assert (page.title, page.parent_url) == ("Pumps", "")


def test_the_url_of_an_item_is_canonical_and_without_tracking() -> None:
    page = page_of_item({"url": "HTTPS://A.example:443/guide?utm_source=x#top", "body": "x"})
    assert page is not None
    assert page.final_url == URL


def test_a_body_of_text_is_converted_as_what_it_is() -> None:
    page = page_of_item({"url": URL, "body": HTML})
    assert page is not None
    assert "Über pumps" in convert(page.body, page.content_type, page.final_url).markdown


def test_our_own_items_are_known_by_the_url_that_the_ledger_has() -> None:
    assert page_url(Page("id", "https://a.example/asked", URL, b"", "", 200, "")) == URL
    assert page_url(Document("id", URL, "", "", "", "", "")) == URL

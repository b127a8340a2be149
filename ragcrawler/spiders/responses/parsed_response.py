"""The links of a response, and the canonical URL that it declares."""

from dataclasses import replace

from scrapy.http import Response
from w3lib.encoding import html_body_declared_encoding

from ragcrawler.conversion.detection.encoding import charset_of
from ragcrawler.frontier import ParsedResponse
from ragcrawler.items import Page
from ragcrawler.urls.links.link_header import canonical_of_header
from ragcrawler.urls.links.page_links import PageLinks, extract_links
from ragcrawler.urls.links.web_encoding import web_encoding
from ragcrawler.urls.listings import ListingLimits, read_listing

# A feed is a page that somebody may read; these are addresses alone.
_ADDRESSES_ALONE = {"sitemap", "sitemap_index"}


def read_response(
    response: Response, item: Page, *, page_url: str, max_links: int, product_token: str
) -> ParsedResponse:
    """Read links and names; for pages of markup, and for XML that names pages."""
    content_type = header(response, "Content-Type")
    kind = (content_type or "text/html").lower()
    parsed = ParsedResponse(item)
    if "html" in kind:
        # Not `response.encoding`: it tries whatever codec of Python's a page claims, "punycode" say.
        label = charset_of(content_type) or html_body_declared_encoding(response.body) or "utf-8"
        codec = web_encoding(label)
        parsed = ParsedResponse(
            item,
            extract_links(response.body, page_url, codec, max_links=max_links, product_token=product_token),
        )
    elif "xml" in kind:
        parsed = _of_xml(item, page_url, max_links)
    named = canonical_of_header(header(response, "Link"), page_url)
    if named:
        links = replace(parsed.links, canonical=(*named, *parsed.links.canonical))
        parsed = replace(parsed, links=links)
    return parsed


def header(response: Response, name: str) -> str:
    """A header as it was sent, "" where there was none."""
    return (response.headers.get(name) or b"").decode("latin-1")


def _of_xml(item: Page, page_url: str, max_links: int) -> ParsedResponse:
    listing = read_listing(item.body, page_url, limits=ListingLimits(max_urls=max_links))
    urls = tuple(page.url for page in listing.pages)
    links = PageLinks((*urls, *listing.listings), cut=listing.cut, unusable=listing.unusable)
    return ParsedResponse(item, links, is_listing=listing.kind in _ADDRESSES_ALONE)

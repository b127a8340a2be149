"""The links of a response, and the canonical URL that it declares."""

import re
from dataclasses import replace

from scrapy.http import Response
from w3lib.encoding import html_body_declared_encoding

from ragcrawler.conversion.detection.encoding import charset_of
from ragcrawler.frontier import ParsedResponse
from ragcrawler.items import Page
from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError
from ragcrawler.urls.links.base_url import Base
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


_MAX_CHARACTERS = 8192
_LINK = re.compile(r"<([^<>]*+)>([^<]*+)")
_RELATION = re.compile(r";\s*+rel\s*+=\s*+(?:\"([^\"]*+)\"|([^\s;,\"]++))", re.IGNORECASE)


def canonical_of_header(value: str, base_url: str) -> tuple[str, ...]:
    """The canonical URLs that a `Link` header gives with `rel=canonical`, each once.

    It is how documents without markup, PDFs say, name the page they belong to.

    Args:
        value: the header; several are joined with commas.
        base_url: of the page, canonical.
    """
    urls: dict[str, None] = {}
    for reference, parameters in _LINK.findall(value[:_MAX_CHARACTERS]):
        match = _RELATION.search(parameters)
        if match and "canonical" in (match[1] or match[2] or "").lower().split():
            try:
                urls[canonical_url(Base.of(base_url).resolve(reference.strip()))] = None
            except UrlError:
                continue  # as with a link on a page that leads nowhere
    return tuple(urls)

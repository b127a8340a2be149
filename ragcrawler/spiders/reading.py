"""What a response says beside its text: where it leads, and its own address."""

from dataclasses import dataclass, replace

from scrapy.http import Response
from w3lib.encoding import html_body_declared_encoding

from ragcrawler.conversion.detection.encoding import charset_of
from ragcrawler.urls.links.link_header import canonical_of_header
from ragcrawler.urls.links.page_links import PageLinks, extract_links
from ragcrawler.urls.links.web_encoding import web_encoding
from ragcrawler.urls.listings import ListingLimits, read_listing

# A feed is a page that somebody may read; these are addresses alone.
_ADDRESSES_ALONE = {"sitemap", "sitemap_index"}


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of a response.

    Attributes:
        links: where it leads.
        is_listing: it is a sitemap: addresses alone, no text.
        noindex: it asks not to be stored.
    """

    links: PageLinks
    is_listing: bool = False
    noindex: bool = False


def read_response(response: Response, page_url: str, *, max_links: int, product_token: str) -> Reading:
    """Read links and names; for pages of markup, and for XML that names pages."""
    content_type = header(response, "Content-Type")
    kind = (content_type or "text/html").lower()
    reading = Reading(PageLinks())
    if "html" in kind:
        # Not `response.encoding`: it tries whatever codec of Python's a page claims, "punycode" say.
        label = charset_of(content_type) or html_body_declared_encoding(response.body) or "utf-8"
        codec = web_encoding(label)
        reading = Reading(
            extract_links(response.body, page_url, codec, max_links=max_links, product_token=product_token)
        )
    elif "xml" in kind:
        reading = _of_xml(response.body, page_url, max_links)
    named = canonical_of_header(header(response, "Link"), page_url)
    if named:
        links = replace(reading.links, canonical=(*named, *reading.links.canonical))
        reading = replace(reading, links=links)
    return reading


def header(response: Response, name: str) -> str:
    """A header as it was sent, "" where there was none."""
    return (response.headers.get(name) or b"").decode("latin-1")


def _of_xml(body: bytes, page_url: str, max_links: int) -> Reading:
    listing = read_listing(body, page_url, limits=ListingLimits(max_urls=max_links))
    urls = tuple(page.url for page in listing.pages)
    links = PageLinks((*urls, *listing.listings), cut=listing.cut, unusable=listing.unusable)
    return Reading(links, is_listing=listing.kind in _ADDRESSES_ALONE)

"""The links of an HTML page."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError
from ragcrawler.urls.reference import Base

DEFAULT_MAX_LINKS = 5_000

# In document order: what a reader can follow, the pages of a frameset, and the next page of a series.
_SOURCES = (
    "base[href], a[href], area[href], frame[src], link[rel~=next i][href], link[rel~=prev i][href],"
    "meta[http-equiv=refresh i][content]"
)
_REFRESH = re.compile(r"\s*[0-9.]*\s*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"']+)", re.IGNORECASE)
_OTHER_SCHEME = re.compile(r"\s*(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_WHITE_SPACE = " \t\r\n\f"


@dataclass(frozen=True, slots=True)
class PageLinks:
    """What a page links to; iterating over it gives the URLs.

    Attributes:
        urls: canonical, in document order, each once.
        cut: distinct links behind the first `max_links`, which were not looked at.
        unusable: distinct links that are http(s) but make no canonical URL.
    """

    urls: tuple[str, ...] = ()
    cut: int = 0
    unusable: int = 0

    def __iter__(self) -> Iterator[str]:
        return iter(self.urls)

    def __len__(self) -> int:
        return len(self.urls)


def extract_links(
    html: bytes | str,
    base_url: str,
    encoding: str = "utf-8",
    *,
    max_links: int = DEFAULT_MAX_LINKS,
    honour_nofollow: bool = False,
) -> PageLinks:
    """Find the links of a page.

    Args:
        html: the page.
        base_url: its final URL, canonical; `<base href>` is resolved against it.
        encoding: of the bytes; also that of non-ASCII characters in a link's query, as browsers have it.
        max_links: distinct links that are looked at.
        honour_nofollow: leave out links with `rel=nofollow`, and all of a page whose robots meta tag says so.

    Raises:
        LookupError: Python does not know the encoding.
        UrlError: `base_url` is no http(s) URL.
    """
    text = html if isinstance(html, str) else html.decode(encoding, "replace")
    tree = LexborHTMLParser(text)
    if honour_nofollow and _page_says_nofollow(tree):
        return PageLinks()
    nodes = tree.css(_SOURCES)
    base = _base(nodes, base_url)
    references = dict.fromkeys(_references(nodes, honour_nofollow))
    references.pop("", None)
    return _canonical_links(list(references), base, encoding, max_links)


def _base(nodes: list[LexborNode], base_url: str) -> Base:
    page = Base.of(canonical_url(base_url))
    for node in nodes:
        if node.tag == "base":
            try:
                return Base.of(
                    canonical_url(page.resolve((node.attributes.get("href") or "").strip(_WHITE_SPACE)))
                )
            except UrlError:
                return page  # as browsers do with a base they cannot use
    return page


def _references(nodes: list[LexborNode], honour_nofollow: bool) -> Iterator[str]:
    for node in nodes:
        attributes = node.attributes
        if honour_nofollow and "nofollow" in (attributes.get("rel") or "").lower().split():
            continue
        # Two links into one page are one link, and most pages have many into themselves.
        yield _reference(node.tag, attributes).strip(_WHITE_SPACE).partition("#")[0]


def _reference(tag: str | None, attributes: dict[str, str | None]) -> str:
    if tag == "base":
        return ""
    if tag != "meta":
        return attributes.get("href") or attributes.get("src") or ""
    match = _REFRESH.match(attributes.get("content") or "")
    return match.group(1) if match else ""


def _canonical_links(references: list[str], base: Base, encoding: str, max_links: int) -> PageLinks:
    urls: dict[str, None] = {}
    unusable = 0
    for reference in references[:max_links]:
        if _OTHER_SCHEME.match(reference):
            continue
        try:
            urls[canonical_url(base.resolve(_in_page_encoding(reference, encoding)))] = None
        except UrlError:
            unusable += 1
    return PageLinks(tuple(urls), max(0, len(references) - max_links), unusable)


def _in_page_encoding(reference: str, encoding: str) -> str:
    # The URL standard: a path is UTF-8, a query is in the page's encoding.
    if reference.isascii():
        return reference
    path, mark, query = reference.partition("?")
    return path + mark + quote(query.encode(encoding, "replace"), safe="%!$&'()*+,;=:@/?")


def _page_says_nofollow(tree: LexborHTMLParser) -> bool:
    return any(
        word in (node.attributes.get("content") or "").lower()
        for node in tree.css("meta[name=robots i][content]")
        for word in ("nofollow", "none")
    )

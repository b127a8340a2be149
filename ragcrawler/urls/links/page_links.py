"""The links of an HTML page."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError
from ragcrawler.urls.links.base_url import Base
from ragcrawler.urls.links.start_tags import link_tags
from ragcrawler.urls.links.tag_references import PageReferences
from ragcrawler.urls.links.web_encoding import web_encoding
from ragcrawler.urls.robots.directives import NO_DIRECTIVES, RobotsDirectives

DEFAULT_MAX_LINKS = 5_000

_OTHER_SCHEME = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_WHITE_SPACE = " \t\r\n\f"


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The links of a page; iterating over it gives the URLs.

    Attributes:
        urls: canonical, in document order, each once; translations named by `hreflang` are among them.
        cut: references behind the first `max_links` distinct ones, which were not looked at.
        unusable: distinct references that are http(s) but make no canonical URL.
        canonical: the addresses that the page gives for itself (`rel=canonical`), at most three.
        languages: the language of each translation, a BCP 47 tag in lower case, by URL.
        feeds: RSS and Atom feeds (`rel=alternate` with their media type), at most three.
        nofollow: canonical, those to which only links with `rel=nofollow` lead; they are not among `urls`.
        robots: what the robots meta tags ask for; `nofollow` there concerns all links, and leaves them here.
    """

    urls: tuple[str, ...] = ()
    cut: int = 0
    unusable: int = 0
    canonical: tuple[str, ...] = ()
    languages: Mapping[str, str] = field(default_factory=dict)
    feeds: tuple[str, ...] = ()
    nofollow: tuple[str, ...] = ()
    robots: RobotsDirectives = NO_DIRECTIVES

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
    product_token: str = "",
) -> PageLinks:
    """Find what a reader can follow: links, image maps, framed pages, refreshes, next and previous.

    Args:
        html: the page.
        base_url: its final URL; `<base href>` is resolved against it.
        encoding: of the bytes; also that of non-ASCII characters in a link's query, as browsers have it. One
            that no page can be in counts as UTF-8.
        max_links: distinct references that are looked at.
        product_token: of this crawler, for robots meta tags that speak to it alone.

    Raises:
        UrlError: `base_url` is no http(s) URL.
    """
    page = Base.of(canonical_url(base_url))
    codec = web_encoding(encoding)
    found = PageReferences(max_links, product_token)
    for tag in link_tags(_utf8(html, codec)):
        found.take(tag)
    base = _base(found.base, page)
    urls, unusable = _canonical(found.followed, base, codec)
    nofollow, unusable_nofollow = _canonical(found.nofollow, base, codec)
    named = found.named
    return PageLinks(
        urls=tuple(urls),
        cut=found.cut,
        unusable=unusable + unusable_nofollow,
        canonical=tuple(_canonical(named.canonical, base, codec)[0]),
        languages=_languages(named.languages, base, codec),
        feeds=tuple(_canonical(named.feeds, base, codec)[0]),
        nofollow=tuple(url for url in nofollow if url not in urls),
        robots=found.robots,
    )


def _utf8(html: bytes | str, encoding: str) -> bytes:
    if isinstance(html, str):
        return html.encode("utf-8", "replace")
    return (
        html
        if encoding in ("utf-8", "ascii")
        else html.decode(encoding, "replace").encode("utf-8", "replace")
    )


def _base(reference: str | None, page: Base) -> Base:
    if reference is None:
        return page
    try:
        return Base.of(canonical_url(page.resolve(reference.strip(_WHITE_SPACE))))
    except UrlError:
        return page  # as browsers do with a base they cannot use


def _canonical(references: Iterable[str], base: Base, encoding: str) -> tuple[dict[str, None], int]:
    urls: dict[str, None] = {}
    unusable = 0
    for reference in references:
        if _OTHER_SCHEME.match(reference):
            continue
        try:
            urls[canonical_url(base.resolve(_in_page_encoding(reference, encoding)))] = None
        except UrlError:
            unusable += 1
    return urls, unusable


def _languages(named: Mapping[str, str], base: Base, encoding: str) -> dict[str, str]:
    languages: dict[str, str] = {}
    for reference, language in named.items():
        for url in _canonical([reference], base, encoding)[0]:
            languages.setdefault(url, language)
    return languages


def _in_page_encoding(reference: str, encoding: str) -> str:
    # The URL standard: a path is UTF-8, a query is in the page's encoding unless that is UTF-16.
    if reference.isascii() or encoding.startswith("utf-"):
        return reference
    path, mark, query = reference.partition("?")
    return path + mark + quote(query.encode(encoding, "replace"), safe="%!$&'()*+,;=:@/?")

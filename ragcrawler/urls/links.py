"""The links of an HTML page."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError
from ragcrawler.urls.markup import link_tags
from ragcrawler.urls.named_links import NamedLinks, is_translation
from ragcrawler.urls.reference import Base
from ragcrawler.urls.web_encoding import web_encoding

DEFAULT_MAX_LINKS = 5_000

# Possessive: a page may send megabytes of spaces.
_REFRESH = re.compile(r"\s*+[0-9.]*+\s*+[;,]\s*+(?:url\s*+=\s*+)?[\"']?([^\"']+)", re.IGNORECASE)
_OTHER_SCHEME = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_WHITE_SPACE = " \t\r\n\f"


@dataclass(frozen=True, slots=True)
class PageLinks:
    """What a page links to; iterating over it gives the URLs.

    Attributes:
        urls: canonical, in document order, each once; translations named by `hreflang` are among them.
        cut: references behind the first `max_links` distinct ones, which were not looked at.
        unusable: distinct references that are http(s) but make no canonical URL.
        canonical: the addresses that the page gives for itself (`rel=canonical`), at most three.
        languages: the language of each translation, a BCP 47 tag in lower case, by URL.
        feeds: RSS and Atom feeds (`rel=alternate` with their media type), at most three.
    """

    urls: tuple[str, ...] = ()
    cut: int = 0
    unusable: int = 0
    canonical: tuple[str, ...] = ()
    languages: Mapping[str, str] = field(default_factory=dict)
    feeds: tuple[str, ...] = ()

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
    """Find what a reader can follow: links, image maps, framed pages, refreshes, next and previous.

    Args:
        html: the page.
        base_url: its final URL; `<base href>` is resolved against it.
        encoding: of the bytes; also that of non-ASCII characters in a link's query, as browsers have it. One
            that no page can be in counts as UTF-8.
        max_links: distinct references that are looked at.
        honour_nofollow: leave out links with `rel=nofollow`, and all of a page whose robots meta tag says so.

    Raises:
        UrlError: `base_url` is no http(s) URL.
    """
    page = Base.of(canonical_url(base_url))
    codec = web_encoding(encoding)
    reading = _Reading(max_links, honour_nofollow)
    for tag in link_tags(_utf8(html, codec)):
        reading.take(tag.name, tag.attributes())
    if reading.page_says_nofollow:
        return PageLinks()
    base = _base(reading.base, page)
    urls, unusable = _canonical(reading.references, base, codec)
    named = reading.named
    return PageLinks(
        urls=tuple(urls),
        cut=reading.cut,
        unusable=unusable,
        canonical=tuple(_canonical(named.canonical, base, codec)[0]),
        languages=_languages(named.languages, base, codec),
        feeds=tuple(_canonical(named.feeds, base, codec)[0]),
    )


class _Reading:
    """What is gathered from the tags, bounded however many there are."""

    def __init__(self, max_links: int, honour_nofollow: bool) -> None:
        self.references: dict[str, None] = {}
        self.cut = 0
        self.base: str | None = None
        self.page_says_nofollow = False
        self.named = NamedLinks()
        self._max_links = max_links
        self._honour_nofollow = honour_nofollow

    def take(self, name: str, attributes: dict[str, str]) -> None:
        if name == "link":
            self.named.take(attributes, _words(attributes, "rel"))
        if name == "base":
            self.base = attributes.get("href") if self.base is None else self.base
        elif not (self._honour_nofollow and self._is_nofollow(name, attributes)):
            # Two links into one page are one link, and most pages have many into themselves.
            reference = _reference(name, attributes).strip(_WHITE_SPACE).partition("#")[0]
            if reference and reference not in self.references:
                self._keep(reference)

    def _keep(self, reference: str) -> None:
        if len(self.references) < self._max_links:
            self.references[reference] = None
        else:
            self.cut += 1

    def _is_nofollow(self, name: str, attributes: dict[str, str]) -> bool:
        if name == "meta" and attributes.get("name", "").lower() == "robots":
            words = {word.strip() for word in attributes.get("content", "").lower().split(",")}
            self.page_says_nofollow |= bool(words & {"nofollow", "none"})
        return "nofollow" in _words(attributes, "rel")


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


def _reference(name: str, attributes: dict[str, str]) -> str:
    if name in ("a", "area"):
        return attributes.get("href", "")
    if name == "frame":
        return attributes.get("src", "")
    if name == "link" and (_words(attributes, "rel") & {"next", "prev"} or is_translation(attributes)):
        return attributes.get("href", "")
    if name == "meta" and attributes.get("http-equiv", "").lower() == "refresh":
        match = _REFRESH.match(attributes.get("content", ""))
        return match.group(1) if match else ""
    return ""


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


def _words(attributes: dict[str, str], name: str) -> set[str]:
    return set(attributes.get(name, "").lower().split())

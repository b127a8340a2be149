"""Collects the entries of a listing, up to a bound."""

import re

from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError
from ragcrawler.urls.links.base_url import Base
from ragcrawler.urls.listings.listing import ListedUrl, Listing, Problem

_OTHER_SCHEME = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class Entries:
    """The URLs of one listing, resolved and made canonical.

    Args:
        base_url: of the file, canonical; feeds and llms.txt have relative references.
        max_urls: pages and listings taken together at the most.
    """

    def __init__(self, base_url: str, max_urls: int) -> None:
        self.kind = ""
        self._base = Base.of(base_url)
        self.max_urls = max_urls
        self._pages: dict[str, ListedUrl] = {}
        self._listings: dict[str, None] = {}
        self._cut = 0
        self._unusable = 0

    def page(self, reference: str, *, last_modified: str = "", language: str = "") -> None:
        """Take a page."""
        url = self._canonical(reference)
        if url and url not in self._pages and self._has_room():
            self._pages[url] = ListedUrl(url, last_modified, language)

    def listing(self, reference: str) -> None:
        """Take a further listing."""
        url = self._canonical(reference)
        if url and url not in self._listings and self._has_room():
            self._listings[url] = None

    def result(self, problem: Problem = "") -> Listing:
        """The listing of the entries so far."""
        return Listing(
            self.kind, tuple(self._pages.values()), tuple(self._listings), self._cut, self._unusable, problem
        )

    def _has_room(self) -> bool:
        if len(self._pages) + len(self._listings) < self.max_urls:
            return True
        self._cut += 1
        return False

    def _canonical(self, reference: str) -> str:
        text = reference.strip()
        if not text:
            return ""
        try:
            return canonical_url(text if _OTHER_SCHEME.match(text) else self._base.resolve(text))
        except UrlError:
            self._unusable += 1
            return ""

"""What is kept out of a collection, asked about URLs and texts."""

from collections.abc import Iterable
from typing import Final

from ragcrawler.catalogue import KeptOutEntry
from ragcrawler.frontier.scope import Scope
from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.identity import cited_url, exact_key, url_key

KEPT_OUT: Final = "kept_out"
"""The reason of pages that are kept out of the collection."""


class KeptOut:
    """Pages and sites that no spider may bring; a link is judged in a time that does not grow with the list.

    Args:
        entries: of the collection's catalogue.
    """

    def __init__(self, entries: Iterable[KeptOutEntry] = ()) -> None:
        self.entries = tuple(entries)
        self._pages = {url_key(each.pattern) for each in self.entries if each.kind == "page"}
        self._spellings = {exact_key(each.pattern) for each in self.entries if each.kind == "spelling"}
        sites = [each.pattern for each in self.entries if each.kind == "site"]
        self._sites = Scope.parse(sites) if sites else Scope(())
        self._texts = {each.text_hash for each in self.entries} - {""}

    def covers(self, url: str) -> bool:
        """Whether a canonical URL, or the path of a file, is kept out."""
        if not self.entries:
            return False
        return (
            url_key(url) in self._pages
            or (bool(self._spellings) and exact_key(url) in self._spellings)
            or self._sites.contains(url)
        )

    def covers_text(self, content_hash: str) -> bool:
        """Whether the text with this hash was taken out with its page."""
        return content_hash in self._texts

    def changed_at(self, scope: Scope) -> str:
        """When the youngest entry came that a crawl with this scope can notice, ISO 8601; "" for never."""
        return max((each.since for each in self.entries if _touches(each, scope)), default="")


def page_entry(url: str) -> KeptOutEntry:
    """The entry of a page, of which somebody wrote the URL.

    Raises:
        UrlError: it is none.
    """
    return KeptOutEntry(cited_url(canonical_url(url)), "page")


def site_entry(domain: str) -> KeptOutEntry:
    """The entry of a site, written as for `domains=`.

    Raises:
        ScopeError: it is none.
    """
    (site,) = Scope.parse([domain]).sites
    return KeptOutEntry(site.name, "site")


def _touches(entry: KeptOutEntry, scope: Scope) -> bool:
    if entry.kind != "site":
        return scope.contains(entry.pattern)
    sites = Scope.parse([entry.pattern])
    return any(map(scope.covers_host, sites.start_urls)) or any(map(sites.covers_host, scope.start_urls))

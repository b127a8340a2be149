"""Which of the found URLs are not wanted."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from ragcrawler.bootstrap.catalogue_place import catalogue_place
from ragcrawler.catalogue import CatalogueReader
from ragcrawler.config.configuration import Configuration
from ragcrawler.frontier.filters.candidate import Candidate
from ragcrawler.frontier.filters.junk import JunkFilter
from ragcrawler.frontier.filters.kept_out import KEPT_OUT, KeptOut
from ragcrawler.frontier.filters.rules import UrlRules
from ragcrawler.frontier.scope import Scope
from ragcrawler.urls.address_guard import AddressGuard, UnsafeAddressError
from ragcrawler.urls.identity import document_id


@dataclass(frozen=True, slots=True)
class FoundUrlRefusals:
    """Says why a found URL is left out.

    Attributes:
        scope: the domains that the user named; their hosts may be private. Empty where none were named.
        rules: what to include and exclude.
        junk: pages that answer no question.
        guard: keeps private addresses out.
        kept_out: what the collection keeps out.
    """

    scope: Scope
    rules: UrlRules
    junk: JunkFilter
    guard: AddressGuard
    kept_out: KeptOut = field(default_factory=KeptOut)

    @classmethod
    def of(cls, scope: Scope, rules: UrlRules, junk: JunkFilter, kept_out: KeptOut) -> "FoundUrlRefusals":
        """Those of a crawl."""
        return cls(scope, rules, junk, AddressGuard(scope.start_urls), kept_out)

    def reason(self, url: str, known: Collection[str] = ()) -> str:
        """Why a canonical URL is left out, "" where it is not.

        Args:
            url: that was found.
            known: URLs that the collection has.
        """
        try:
            self.guard.check_url(url)
        except UnsafeAddressError as error:
            return error.reason
        if self.scope.sites and not self.scope.contains(url):
            return "offsite"
        if self.kept_out.covers(url):
            return KEPT_OUT
        candidate = Candidate(url)
        refusal = self.junk.refusal(candidate) or self.rules.refusal(candidate)
        return refusal or ("known" if url in known else "")


def known_urls(catalogue: CatalogueReader, urls: Iterable[str]) -> set[str]:
    """Those of some canonical URLs that the collection has."""
    return {url for url in urls if catalogue.get(document_id(url)) or catalogue.by_url(url)}


def known_urls_of_catalogue(configuration: Configuration, urls: Iterable[str]) -> set[str]:
    """The same where the crawl itself has not opened the collection.

    Raises:
        CatalogueError: the catalogue cannot be read.
    """
    place = catalogue_place(configuration)
    if not place.exists():
        return set()
    with place.open() as catalogue:
        return known_urls(catalogue, urls)


def kept_out_of_catalogue(configuration: Configuration) -> KeptOut:
    """What the collection keeps out, where the crawl itself has not opened it.

    Raises:
        CatalogueError: the catalogue cannot be read.
    """
    place = catalogue_place(configuration)
    if not place.exists():
        return KeptOut()
    with place.open() as catalogue:
        return KeptOut(catalogue.kept_out())

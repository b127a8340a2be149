"""Discovers URLs by listings: which sitemaps, feeds and llms.txt to request, and which URLs to take."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from urllib.parse import urlsplit

from ragcrawler.frontier.options import DiscoveryLimits
from ragcrawler.frontier.scope import Scope
from ragcrawler.frontier.states.protocol import Notes, key64
from ragcrawler.frontier.target import ListingPlace, Target
from ragcrawler.urls.canonical import usable_urls
from ragcrawler.urls.listings import ListedUrl, Listing

Count = Callable[[str, int], None]

_SITEMAP = "sitemap.xml"
_SITEMAP_INDEX = "sitemap_index.xml"
_LLMS_TEXT = "llms.txt"
_ASKED = "listing"
_FOLDERS = "listing_folder"
_FILES = "listing_files"
_TAKEN = "listing_urls"


class Discovery:
    """The listings of each site: each asked for once, within the bounds of the settings.

    Args:
        limits: what the settings say.
        notes: remember what was asked for.
        count: adds to a stat, by its name without the prefix.
        ask: queues a listing.
    """

    def __init__(
        self, limits: DiscoveryLimits, notes: Notes, count: Count, ask: Callable[[Target], None]
    ) -> None:
        self._ask = ask
        self._limits = limits
        self._notes = notes
        self._count = count

    def is_new(self, page: Target, scope: Scope) -> bool:
        """Whether this is a start page beside which no listing was looked for yet."""
        if page.depth or page.listing or not self._limits.is_on:
            return False
        return not self._notes.has_member(_FOLDERS, 0, key64(_folder(page.url, scope)))

    def of_start_page(self, page: Target, sitemaps: Iterable[str], scope: Scope) -> list[Target]:
        """The listings of a start page: what robots.txt names, else the usual places; and llms.txt.

        Args:
            page: a page; the listings of a page that is no start page are not asked for.
            sitemaps: the lines of robots.txt, as written there.
            scope: listings of other hosts are not asked for.
        """
        if not self.is_new(page, scope):
            return []
        site, folder = _site(page.url), _folder(page.url, scope)
        self._notes.add_member(_FOLDERS, 0, key64(folder))
        places = dict.fromkeys((folder, f"{site}/"))
        urls, unusable = usable_urls(sitemaps)
        self._count("discovery/urls_unusable", unusable)
        listings = [_listing(url, site) for url in urls]
        if not listings:
            listings = [_listing(place + _SITEMAP, site, place + _SITEMAP_INDEX) for place in places]
        return self._new([*listings, *(_listing(place + _LLMS_TEXT, site) for place in places)], scope)

    def of_feeds(self, page: Target, feeds: Iterable[str], scope: Scope) -> list[Target]:
        """The feeds that a start page names."""
        if page.depth or not self._limits.is_on:
            return []
        return self._new((_listing(url, _site(page.url)) for url in feeds), scope)

    def of_page(
        self, page: Target, sitemaps: Iterable[str], feeds: Iterable[str], scope: Scope
    ) -> list[Target]:
        """All listings to which a page leads."""
        return [*self.of_start_page(page, sitemaps, scope), *self.of_feeds(page, feeds, scope)]

    def select_pages(self, listing: Listing, place: ListingPlace) -> list[ListedUrl]:
        """The pages to take of a listing: as many as its site has left, those changed last first."""
        if _is_nothing(listing):
            return []
        site = key64(place.site)
        room = self._limits.max_urls - self._notes.counter(_TAKEN, site)
        newest_first = sorted(listing.pages, key=lambda page: page.last_modified, reverse=True)
        taken = newest_first[: max(room, 0)]
        self._notes.count(_TAKEN, site, len(taken))
        self._count("discovery/listings", 1)
        self._count("discovery/urls", len(taken))
        self._count("discovery/urls_cut", listing.cut + len(listing.pages) - len(taken))
        self._count("discovery/urls_unusable", listing.unusable)
        if listing.problem:
            self._count(f"discovery/problems/{listing.problem}", 1)
        return taken

    def nested(self, listing: Listing, place: ListingPlace, scope: Scope) -> list[Target]:
        """The sitemaps that an index names, as far as it may nest; or where else to look."""
        if _is_nothing(listing):
            return self.fallback(place, scope)
        if not listing.listings:
            return []
        if place.nesting >= self._limits.max_nesting:
            self._count("discovery/problems/nesting", len(listing.listings))
            return []
        below = ListingPlace(place.site, place.nesting + 1)
        return self._new((Target(url, listing=below) for url in listing.listings), scope)

    def fallback(self, place: ListingPlace, scope: Scope) -> list[Target]:
        """Where else to look for a listing that is not there."""
        self._count("discovery/missing", 1)
        elsewhere = replace(place, fallback_url="")
        return self._new([Target(place.fallback_url, listing=elsewhere)] if place.fallback_url else (), scope)

    def _new(self, listings: Iterable[Target], scope: Scope) -> list[Target]:
        return list(self._wanted(listings, scope))

    def _wanted(self, listings: Iterable[Target], scope: Scope) -> Iterator[Target]:
        for target in listings:
            if self._notes.has_member(_ASKED, 0, key64(target.url)):
                continue
            self._notes.add_member(_ASKED, 0, key64(target.url))
            site = key64(target.listing.site) if target.listing else 0
            if not scope.covers_host(target.url):
                self._count("discovery/problems/offsite", 1)
            elif self._notes.counter(_FILES, site) >= self._limits.max_files:
                self._count("discovery/problems/too_many", 1)
            else:
                self._notes.count(_FILES, site)
                self._ask(target)
                yield target


def _listing(url: str, site: str, fallback_url: str = "") -> Target:
    return Target(url, listing=ListingPlace(site, fallback_url=fallback_url))


def _folder(page_url: str, scope: Scope) -> str:
    return _site(page_url) + scope.prefix_of(page_url)


def _is_nothing(listing: Listing) -> bool:
    """Whether it is no listing: some sites answer everything with a page."""
    is_markup = listing.problem in {"", "malformed"} and listing.kind in {"", "xml", "text", "llms_text"}
    return is_markup and not (listing.pages or listing.listings)


def _site(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"

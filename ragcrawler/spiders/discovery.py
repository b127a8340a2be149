"""Which listings of a site are asked for, and what is taken of them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from urllib.parse import urlsplit

from ragcrawler.config.discovery import DiscoveryConfig
from ragcrawler.run.robots_lookup import RobotsLookup
from ragcrawler.spiders.listing_visit import ListingVisit
from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError
from ragcrawler.urls.listings import ListedUrl, Listing, read_listing
from ragcrawler.urls.scope import Scope

Count = Callable[[str, int], None]

_SITEMAP = "sitemap.xml"
_SITEMAP_INDEX = "sitemap_index.xml"
_LLMS_TEXT = "llms.txt"


class Discovery:
    """The listings of each site: each asked for once, within the bounds of the settings.

    Args:
        config: what the settings say.
        scope: listings of other hosts are not asked for.
        count: adds to a stat, by its name without the prefix.
    """

    def __init__(self, config: DiscoveryConfig, scope: Scope, count: Count) -> None:
        self._config = config
        self._scope = scope
        self._count = count
        self._asked: set[str] = set()
        self._sites: set[str] = set()
        self._files: Counter[str] = Counter()
        self._taken: Counter[str] = Counter()

    async def of_start(self, page_url: str, robots: RobotsLookup | None) -> list[ListingVisit]:
        """What robots.txt names, else the usual places of a sitemap; and llms.txt."""
        site = _site(page_url)
        folder = site + self._scope.prefix_of(page_url)
        if folder in self._sites:
            return []
        self._sites.add(folder)
        named = await robots.sitemaps(page_url) if robots else ()
        places = dict.fromkeys((folder, f"{site}/"))
        visits = [ListingVisit(url, site) for url in self._canonical(named)]
        if not visits:
            visits = [
                ListingVisit(place + _SITEMAP, site, fallback_url=place + _SITEMAP_INDEX) for place in places
            ]
        return self._new([*visits, *(ListingVisit(place + _LLMS_TEXT, site) for place in places)])

    def of_feeds(self, page_url: str, feeds: Iterable[str]) -> list[ListingVisit]:
        """The feeds that a start page names."""
        return self._new(ListingVisit(url, _site(page_url)) for url in feeds)

    def read(self, body: bytes, visit: ListingVisit) -> Listing:
        """What a listing names; touches no state, so that a thread may do it."""
        return read_listing(body, visit.url, limits=self._config.limits)

    def pages(self, listing: Listing, visit: ListingVisit) -> list[ListedUrl]:
        """The pages to take of a listing: as many as its site has left, those changed last first."""
        if _is_nothing(listing):
            return []
        room = self._config.max_urls - self._taken[visit.site]
        newest_first = sorted(listing.pages, key=lambda page: page.last_modified, reverse=True)
        taken = newest_first[: max(room, 0)]
        self._taken[visit.site] += len(taken)
        self._count("discovery/listings", 1)
        self._count("discovery/urls", len(taken))
        self._count("discovery/urls_cut", listing.cut + len(listing.pages) - len(taken))
        self._count("discovery/urls_unusable", listing.unusable)
        if listing.problem:
            self._count(f"discovery/problems/{listing.problem}", 1)
        return taken

    def further(self, listing: Listing, visit: ListingVisit) -> list[ListingVisit]:
        """The sitemaps that an index names, as far as it may nest; or where else to look."""
        if _is_nothing(listing):
            return self.missing(visit)
        if not listing.listings:
            return []
        if visit.nesting >= self._config.max_nesting:
            self._count("discovery/problems/nesting", len(listing.listings))
            return []
        return self._new(ListingVisit(url, visit.site, visit.nesting + 1) for url in listing.listings)

    def missing(self, visit: ListingVisit) -> list[ListingVisit]:
        """Where else to look for a listing that is not there."""
        self._count("discovery/missing", 1)
        return self._new(
            [replace(visit, url=visit.fallback_url, fallback_url="")] if visit.fallback_url else ()
        )

    def _new(self, visits: Iterable[ListingVisit]) -> list[ListingVisit]:
        return list(self._wanted(visits))

    def _wanted(self, visits: Iterable[ListingVisit]) -> Iterator[ListingVisit]:
        for visit in visits:
            if visit.url in self._asked:
                continue
            self._asked.add(visit.url)
            if not self._scope.covers_host(visit.url):
                self._count("discovery/problems/offsite", 1)
            elif self._files[visit.site] >= self._config.max_files:
                self._count("discovery/problems/too_many", 1)
            else:
                self._files[visit.site] += 1
                yield visit

    def _canonical(self, urls: Iterable[str]) -> Iterator[str]:
        for url in urls:
            try:
                yield canonical_url(url)
            except UrlError:
                self._count("discovery/urls_unusable", 1)


def _is_nothing(listing: Listing) -> bool:
    """Whether it is no listing: some sites answer everything with a page."""
    is_markup = listing.problem in {"", "malformed"} and listing.kind in {"", "xml", "text", "llms_text"}
    return is_markup and not (listing.pages or listing.listings)


def _site(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"

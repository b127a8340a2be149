"""The options of a crawl that concern its URLs."""

from dataclasses import dataclass, field

from ragcrawler.frontier.filters.junk import JunkFilter
from ragcrawler.frontier.filters.rules import UrlRules
from ragcrawler.frontier.filters.traps import TrapLimits
from ragcrawler.frontier.filters.variants import VariantRules
from ragcrawler.frontier.hosts.site_health import SiteLimits
from ragcrawler.frontier.scope import Scope
from ragcrawler.urls.listings import ListingLimits


@dataclass(frozen=True, slots=True)
class DiscoveryLimits:
    """Whether listings (sitemaps, feeds, llms.txt) are asked for, and their bounds.

    Attributes:
        is_on: whether they are.
        limits: of one file.
        max_urls: pages taken from all listings of one site.
        max_files: listings of one site.
        max_nesting: indexes within indexes.
    """

    is_on: bool = False
    limits: ListingLimits = field(default_factory=ListingLimits)
    max_urls: int = 50_000
    max_files: int = 100
    max_nesting: int = 3


@dataclass(frozen=True, slots=True)
class FrontierOptions:
    """Scope, filters and bounds of a crawl.

    Attributes:
        scope: what may be fetched.
        named_urls: canonical, without duplicates: the user asked for them, so no filter applies to them.
        rules: what to include and exclude.
        variants: which languages and versions of a site.
        junk: tells pages of no use to readers.
        ignored_extensions: of files that hold no text, in lower case.
        traps: bounds of what may be endless.
        max_depth: links followed from a named URL at the most, None for no bound.
        max_pages: pages kept at the most, 0 for no bound.
        plan_pages: linked pages that a plan fetches; 0 for a crawl.
        finds_soft_404: whether pages are compared with what their site says to an unknown URL.
        discovery: listings.
        sites: when a failing site is paused and given up.
    """

    scope: Scope = field(default_factory=lambda: Scope(()))
    named_urls: tuple[str, ...] = ()
    rules: UrlRules = field(default_factory=UrlRules)
    variants: VariantRules = field(default_factory=VariantRules)
    junk: JunkFilter = field(default_factory=JunkFilter)
    ignored_extensions: frozenset[str] = frozenset()
    traps: TrapLimits = field(default_factory=TrapLimits)
    max_depth: int | None = None
    max_pages: int = 0
    plan_pages: int = 0
    finds_soft_404: bool = True
    discovery: DiscoveryLimits = field(default_factory=DiscoveryLimits)
    sites: SiteLimits = field(default_factory=SiteLimits)

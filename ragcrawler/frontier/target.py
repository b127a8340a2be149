"""The targets that a crawl requests, and its decisions about the answers."""

import json
from dataclasses import asdict, dataclass, field, replace
from typing import Self

from ragcrawler.items import Page
from ragcrawler.urls.links.page_links import PageLinks

ANOTHERS = -1


@dataclass(frozen=True, slots=True)
class ListingPlace:
    """Where a sitemap, feed or llms.txt was looked for.

    Attributes:
        site: scheme, host and port of the page that led to it; what the bounds apply to.
        nesting: indexes above it.
        fallback_url: the other usual place, asked for where nothing is here.
    """

    site: str
    nesting: int = 0
    fallback_url: str = ""


@dataclass(frozen=True, slots=True)
class Target:
    """A page or a listing that is asked for.

    Attributes:
        url: canonical.
        depth: links followed from a start URL; 1 for what a listing names.
        parent_url: where the URL was found, "" for a named URL.
        stands_alone: the page is kept whatever canonical URL it declares: that one could not be fetched.
        listing: for a listing, None for a page.
        is_apart: the page is another than that of the URLs with its key.
        keeps_session: what looks like a session id may name the page, and is cited.
        lease: number of the lease by which it is asked for; 0 where nobody else can have it, and `ANOTHERS`
            where somebody asks for it by its own URL.
    """

    url: str
    depth: int = 0
    parent_url: str = ""
    stands_alone: bool = False
    listing: ListingPlace | None = None
    is_apart: bool = False
    keeps_session: bool = False
    lease: int = field(default=0, compare=False)

    def alone(self) -> "Target":
        """The same page, asked for once more because its canonical URL could not be fetched."""
        return Target(self.url, self.depth, self.parent_url, stands_alone=True)

    def to_json(self) -> str:
        """For a state that keeps text; who reads it has to lease the target."""
        return json.dumps(asdict(replace(self, lease=0)))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote."""
        values = json.loads(text)
        listing = values.pop("listing")
        return cls(**values, listing=ListingPlace(**listing) if listing else None)


@dataclass(frozen=True, slots=True)
class ParsedResponse:
    """A response after its links and robots tags were read.

    Attributes:
        item: the page for the pipelines.
        links: where it leads.
        is_listing: it is a sitemap: addresses alone, no text.
        noindex: it asks not to be stored.
        is_missing: it says no more than its site says to an unknown URL.
        sitemaps: the URLs that the site's robots.txt names, where that was looked up.
        text: hash of the text, where it was asked for.
    """

    item: Page
    links: PageLinks = field(default_factory=PageLinks)
    is_listing: bool = False
    noindex: bool = False
    is_missing: bool = False
    sitemaps: tuple[str, ...] = ()
    text: int | None = None


@dataclass(frozen=True, slots=True)
class FetchFailure:
    """Why a download brought nothing.

    Attributes:
        reason: a short word to count by.
        is_skip: nothing is lost by it.
        is_missing: the server says that nothing is there.
        is_answer: the server answered, with an error.
        is_shutdown: the crawl was interrupted.
        sitemaps: as in `ParsedResponse`.
    """

    reason: str
    is_skip: bool = False
    is_missing: bool = False
    is_answer: bool = False
    is_shutdown: bool = False
    sitemaps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Keep:
    """The page goes on to the pipelines.

    Attributes:
        page: the item.
        targets: to ask for now, because of this answer.
    """

    page: Page
    targets: tuple[Target, ...] = ()


@dataclass(frozen=True, slots=True)
class Skip:
    """The answer is not kept.

    Attributes:
        reason: a short word to count by; "" where the page was taken from another answer.
        targets: to ask for now, because of this answer.
    """

    reason: str = ""
    targets: tuple[Target, ...] = ()


@dataclass(frozen=True, slots=True)
class Instead:
    """Other URLs decide about the answer: the page waits for its canonical, or another spelling is tried.

    Attributes:
        targets: to ask for now.
    """

    targets: tuple[Target, ...] = ()


@dataclass(frozen=True, slots=True)
class Lost:
    """The page is lost: the caller reports why.

    Attributes:
        reason: a short word to count by.
        targets: to ask for now, because of this loss.
    """

    reason: str
    targets: tuple[Target, ...] = ()


Decision = Keep | Skip | Instead | Lost

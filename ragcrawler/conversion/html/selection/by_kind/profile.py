"""How the content is chosen on each kind of page."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ragcrawler.conversion.html.kinds.page_kind import SURE, KindVerdict, PageKind

Extent = Literal["gaps", "span", "region"]


@dataclass(frozen=True, slots=True)
class Profile:
    """What holds for a kind of page.

    Attributes:
        extent: "gaps" trusts the extractor's vote and fills the gaps in it; "region" takes the smallest
            element around the votes as a whole; "span" takes it up to the last vote.
        drops_teasers: parts under headings such as "Related articles" are no content.
        drops_calls: blocks that are nothing but a call to action ("Add to cart") are no content.
        has_posts: the page is a thread: of its posts stays what was written, without the panels beside it.
        keeps_grid: the siblings that repeat most are content.
        drops_filters: what narrows or sorts a list is no content.
        has_product: what the page declares of its product is content.
        drops_asides: the box about the author and lines that lead to other articles are no content.
        drops_comments: readers' comments are no content.
    """

    extent: Extent = "region"
    drops_teasers: bool = False
    drops_calls: bool = False
    has_posts: bool = False
    keeps_grid: bool = False
    drops_filters: bool = False
    has_product: bool = False
    drops_asides: bool = False
    drops_comments: bool = True


UNSURE = Profile()
PROFILES: Mapping[PageKind, Profile] = {
    "article": Profile(extent="gaps", drops_teasers=True, drops_asides=True),
    "documentation": Profile(),
    "forum": Profile(has_posts=True, drops_comments=False, drops_teasers=True),
    "product": Profile(extent="span", drops_teasers=True, drops_calls=True, has_product=True),
    "collection": Profile(keeps_grid=True, drops_calls=True, drops_filters=True),
    "listing": Profile(keeps_grid=True, drops_calls=True, drops_filters=True),
    "service": Profile(drops_calls=True),
}


def profile_of(verdict: KindVerdict) -> Profile:
    """The profile of a page, `UNSURE` where none of the kinds is likely enough."""
    if kind := verdict.sure:
        return PROFILES[kind]
    return PROFILES["collection"] if verdict.of("collection", "listing") >= SURE else UNSURE

"""Which blocks of a page are its content: the extractor's vote, projected onto the page."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from lxml import html

from ragcrawler.conversion.html.attributes import with_attribute
from ragcrawler.conversion.html.selection.block_scores import Ballot, Words, count_words, word_sums
from ragcrawler.conversion.html.selection.blocks import Block
from ragcrawler.conversion.html.selection.boilerplate import Boilerplate
from ragcrawler.conversion.html.selection.by_kind.asides import mark_asides
from ragcrawler.conversion.html.selection.by_kind.authors import author_boxes
from ragcrawler.conversion.html.selection.by_kind.calls import FILTER_NAMES, is_call
from ragcrawler.conversion.html.selection.by_kind.comments import comment_sections
from ragcrawler.conversion.html.selection.by_kind.dropped_blocks import fill_gaps
from ragcrawler.conversion.html.selection.by_kind.grids import grid_around
from ragcrawler.conversion.html.selection.by_kind.posts import mark_panels
from ragcrawler.conversion.html.selection.by_kind.profile import UNSURE, Profile
from ragcrawler.conversion.html.selection.by_kind.teasers import mark_teasers
from ragcrawler.conversion.html.selection.duplicates import drop_duplicates
from ragcrawler.conversion.html.selection.region import keep_title, region_of

_WORTHY_PAGE_SHARE = 0.3
_MIN_UNMARKED_SHARE = 0.4
_ARTICLE_WORDS = 100
Basis = Literal["vote", "region", "page", "everything"]


@dataclass(frozen=True, slots=True)
class Selection:
    """Verdicts on the blocks of a page.

    Attributes:
        keep: one verdict a block.
        basis: what decided: the extractor's vote alone, the region that it filled, or, where it filled
            none or found too little to be believed, all of the page that is not marked as boilerplate;
            "everything" where nobody was asked.
        duplicate_words: of parts that stand twice, dropped.
    """

    keep: list[bool]
    basis: Basis
    duplicate_words: int = 0


def select(
    body: html.HtmlElement, blocks: list[Block], ballot: Ballot, profile: Profile = UNSURE
) -> Selection:
    """Judge every block.

    1. Blocks that the page itself marks as boilerplate, or that are none of the content of this kind of page,
       lose their vote, unless that leaves little.
    2. If a third of the smallest element around the votes was voted for, it is content as a whole: extractors
       lose titles, code, lists and tables out of the middle of it. On articles only gaps are filled.
    3. Where fewer were, the votes lie scattered: everything but boilerplate is kept; of a thread the votes
       and its posts, of articles and products the votes.
    4. If the votes cover less than 30 % of what is not boilerplate, the extractor missed what kind of page
       this is (a listing, a thread, a shop): everything but boilerplate is kept.
    """
    clean = _clean(body, blocks, ballot.words, profile)
    voted = list(ballot.voted)
    marked_off = [a and b for a, b in zip(voted, clean, strict=True)]
    if count_words(blocks, marked_off) >= _MIN_UNMARKED_SHARE * count_words(blocks, voted):
        voted = marked_off
    keep, basis = _project(body, blocks, voted, clean, profile)
    if profile.extent != "gaps" and count_words(blocks, keep) < _WORTHY_PAGE_SHARE * count_words(
        blocks, clean
    ):
        keep, basis = _either(keep, clean), "page"
    elif profile.keeps_grid:
        _keep_grid(body, blocks, keep, clean)
    if not any(keep):
        return Selection([True] * len(blocks), "page")
    duplicate_words = drop_duplicates(body, blocks, keep, has_posts=profile.has_posts)
    return Selection(keep, basis, duplicate_words)


def _clean(body: html.HtmlElement, blocks: list[Block], words: Words, profile: Profile) -> list[bool]:
    unwanted = _comments(body, words) if profile.drops_comments else frozenset()
    if profile.drops_filters:
        unwanted |= _filters(body, words)
    if profile.drops_asides:
        unwanted |= author_boxes(body, words)
    boilerplate = Boilerplate(body, words, unwanted)
    clean = [not boilerplate.holds(block.element) for block in blocks]
    if profile.drops_teasers:
        clean = _without(clean, mark_teasers(blocks, clean))
    if profile.drops_asides:
        clean = _without(clean, mark_asides(blocks))
    if profile.has_posts:
        clean = _without(clean, mark_panels(blocks))
    if profile.drops_calls:
        clean = _without(clean, map(is_call, blocks))
    return clean


def _without(clean: list[bool], marked: Iterable[bool]) -> list[bool]:
    return [is_clean and not is_marked for is_clean, is_marked in zip(clean, marked, strict=True)]


def _project(
    body: html.HtmlElement, blocks: list[Block], voted: list[bool], clean: list[bool], profile: Profile
) -> tuple[list[bool], Basis]:
    region = region_of(body, blocks, voted, clean)
    if region is None:
        return _without_region(body, blocks, voted, clean, profile)
    if profile.extent == "gaps":
        keep = fill_gaps(blocks, voted, clean, region)
        within = keep
    else:
        inside = set(region.iter())
        if profile.extent == "span" and any(voted):
            first, last = voted.index(True), len(voted) - 1 - voted[::-1].index(True)
            inside -= {b.element for i, b in enumerate(blocks) if i > last}
        within = [kept and block.element in inside for kept, block in zip(clean, blocks, strict=True)]
        keep = _either(voted, within)
    if any(keep):
        first = (within if any(within) else voted).index(True)
        keep_title(blocks, keep, clean, first, has_byline=profile.extent == "gaps")
    return keep, "region"


def _without_region(
    body: html.HtmlElement, blocks: list[Block], voted: list[bool], clean: list[bool], profile: Profile
) -> tuple[list[bool], Basis]:
    """The votes lie scattered: of a thread the posts stay, of most pages all but boilerplate."""
    keep = list(voted)
    if profile.has_posts:
        _keep_grid(body, blocks, keep, clean)
    elif profile.extent == "region":
        return _either(voted, clean), "page"
    return keep, "vote"


def _either(keep: Iterable[bool], others: Iterable[bool]) -> list[bool]:
    return [a or b for a, b in zip(keep, others, strict=True)]


def _keep_grid(body: html.HtmlElement, blocks: list[Block], keep: list[bool], clean: list[bool]) -> None:
    grid = grid_around(body, word_sums(blocks, clean))
    if grid is None:
        return
    for index, block in enumerate(blocks):
        keep[index] |= clean[index] and grid in block.path


def _comments(body: html.HtmlElement, words: Words) -> frozenset[html.HtmlElement]:
    """The comments below an article; where there is none, they are what the page is about."""
    sections = comment_sections(body)
    outside = words.voted.get(body, 0) - sum(words.voted.get(section, 0) for section in sections)
    return sections if outside >= _ARTICLE_WORDS else frozenset()


def _filters(body: html.HtmlElement, words: Words) -> frozenset[html.HtmlElement]:
    most = 0.4 * words.all.get(body, 0)
    named = dict.fromkeys([*with_attribute(body, "class"), *with_attribute(body, "id")])
    return frozenset(
        element
        for element in named
        if words.all.get(element, 0) <= most
        and FILTER_NAMES.search(f"{element.get('class', '')} {element.get('id', '')}")
    )

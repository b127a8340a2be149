"""Which blocks of a page are its content: the extractor's vote, projected onto the page."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from lxml import html

from ragcrawler.conversion.html.selection.blocks import Block
from ragcrawler.conversion.html.selection.boilerplate import Boilerplate, Words
from ragcrawler.conversion.html.selection.comments import comment_sections
from ragcrawler.conversion.html.selection.sections import section_around, thread_around
from ragcrawler.conversion.html.selection.vote import Vote
from ragcrawler.conversion.html.tags import HEADINGS

_TELLING_WORDS = 8
_REPEATABLE = frozenset(("pre", "table", *HEADINGS))
_KEPT_SHARE = 0.5
_ANCHORING_WORDS = 8
_STRAY_DISTANCE = 3
_REGION_SHARE = 0.8
_PURE_REGION_SHARE = 0.35
_WORTHY_PAGE_SHARE = 0.3
_MIN_UNMARKED_SHARE = 0.4
_MAX_TITLE_WORDS = 60
_ARTICLE_WORDS = 100
Basis = Literal["vote", "region", "page", "everything"]


def mark_duplicates(blocks: list[Block], keep: list[bool], vote: Vote) -> None:
    """Drop every further copy of a paragraph, unless the extractor has it as often; code and tables stay.

    A heading that repeats goes with the copy that follows it.
    """
    seen: dict[str, int] = {}
    dropped: set[int] = set()
    texts = [" ".join(block.words) for block in blocks]
    for index, block in enumerate(blocks):
        if not keep[index] or len(block.words) < _TELLING_WORDS or block.element.tag in _REPEATABLE:
            continue
        times = seen[texts[index]] = seen.get(texts[index], 0) + 1
        if times > 1 and vote.times(texts[index]) < times:
            dropped.add(index)
    titles: set[str] = set()
    for index, block in enumerate(blocks):
        if keep[index] and block.element.tag in HEADINGS:
            if texts[index] in titles and index + 1 in dropped:
                dropped.add(index)
            titles.add(texts[index])
    for index in dropped:
        keep[index] = False


@dataclass(frozen=True, slots=True)
class Selection:
    """Verdicts on the blocks of a page.

    Attributes:
        keep: one verdict a block.
        basis: what decided: the extractor's vote alone, the region that it filled, or, where it found
            too little to be believed, all of the page that is not marked as boilerplate;
            "everything" where nobody was asked.
    """

    keep: list[bool]
    basis: Basis


def select(body: html.HtmlElement, blocks: list[Block], vote: Vote) -> Selection:
    """Judge every block.

    1. A block is voted for if the extractor kept at least half of its word triples.
    2. Blocks that the page itself marks as boilerplate lose their vote, unless that leaves little.
    3. If a third of the smallest element around the votes was voted for, it is content as a whole: extractors
       lose titles, code, lists and tables out of the middle of it.
    4. If the votes cover less than 30 % of what is not boilerplate, the extractor missed what kind of page
       this is (a listing, a thread, a shop): everything but boilerplate is kept.
    """
    voted = [vote.share_of(block.words) >= _KEPT_SHARE for block in blocks]
    _drop_strays(blocks, voted)
    words = _words(blocks, voted)
    boilerplate = Boilerplate(body, words, _comments(body, words))
    clean = [not boilerplate.holds(block.element) for block in blocks]
    marked_off = [a and b for a, b in zip(voted, clean, strict=True)]
    if _count(blocks, marked_off) >= _MIN_UNMARKED_SHARE * _count(blocks, voted):
        voted = marked_off
    keep, basis = _with_region(body, blocks, voted, clean)
    if _count(blocks, keep) < _WORTHY_PAGE_SHARE * _count(blocks, clean):
        keep, basis = [a or b for a, b in zip(keep, clean, strict=True)], "page"
    if not any(keep):
        return Selection([True] * len(blocks), "page")
    mark_duplicates(blocks, keep, vote)
    return Selection(keep, basis)


def _comments(body: html.HtmlElement, words: Words) -> frozenset[html.HtmlElement]:
    """The comments below an article; where there is none, they are what the page is about."""
    sections = comment_sections(body)
    outside = words.voted.get(body, 0) - sum(words.voted.get(section, 0) for section in sections)
    return sections if outside >= _ARTICLE_WORDS else frozenset()


def _drop_strays(blocks: list[Block], voted: list[bool]) -> None:
    """Short blocks far outside the main run match the vote by chance."""
    anchors = [i for i, block in enumerate(blocks) if voted[i] and len(block.words) >= _ANCHORING_WORDS]
    if anchors:
        first, last = anchors[0] - _STRAY_DISTANCE, anchors[-1] + _STRAY_DISTANCE
        voted[:] = [kept and first <= index <= last for index, kept in enumerate(voted)]


def _with_region(
    body: html.HtmlElement, blocks: list[Block], voted: list[bool], clean: list[bool]
) -> tuple[list[bool], Basis]:
    found = _sums(blocks, voted)
    enough = _REGION_SHARE * found.get(body, 0)
    region = body
    while enough:
        inner = next((child for child in region if found.get(child, 0) >= enough), None)
        if inner is None:
            break
        region = inner
    unmarked = _sums(blocks, clean)
    if not enough or found[region] < _PURE_REGION_SHARE * unmarked.get(region, 0):
        return voted, "vote"
    inside = set(thread_around(section_around(region), unmarked).iter())
    within = [kept and block.element in inside for kept, block in zip(clean, blocks, strict=True)]
    keep = [a or b for a, b in zip(voted, within, strict=True)]
    _keep_title(blocks, keep, clean, (within if any(within) else voted).index(True))
    return keep, "region"


def _keep_title(blocks: list[Block], keep: list[bool], clean: list[bool], first: int) -> None:
    """A title and its subtitle stand before the content's first block, not always in the same part."""
    missing = 0
    for index in range(first - 1, -1, -1):
        missing += 0 if keep[index] else len(blocks[index].words)
        if missing > _MAX_TITLE_WORDS or not clean[index]:
            return
        if blocks[index].element.tag == "h1":
            for between in range(index, first):
                keep[between] |= blocks[between].link_words <= len(blocks[between].words) / 2
            return


def _count(blocks: Iterable[Block], keep: Iterable[bool]) -> int:
    return sum(len(block.words) for block, kept in zip(blocks, keep, strict=True) if kept)


def _words(blocks: list[Block], voted: list[bool]) -> Words:
    linked: dict[html.HtmlElement, int] = {}
    for block in blocks:
        if block.link_words:
            for element in block.path:
                linked[element] = linked.get(element, 0) + block.link_words
    return Words(_sums(blocks, [True] * len(blocks)), _sums(blocks, voted), linked)


def _sums(blocks: list[Block], keep: list[bool]) -> dict[html.HtmlElement, int]:
    """The words of kept blocks below each element."""
    sums: dict[html.HtmlElement, int] = {}
    for block, kept in zip(blocks, keep, strict=True):
        if kept:
            words = len(block.words)
            for element in block.path:
                sums[element] = sums.get(element, 0) + words
    return sums

"""The smallest element around the votes, and the title before it."""

from lxml import html

from ragcrawler.conversion.html.selection.block_scores import word_sums
from ragcrawler.conversion.html.selection.blocks import Block
from ragcrawler.conversion.html.selection.sections import section_around, thread_around
from ragcrawler.conversion.html.tags import HEADINGS

_REGION_SHARE = 0.8
_PURE_REGION_SHARE = 0.35
_MAX_TITLE_WORDS = 60
_SENTENCE_WORDS = 12


def region_of(
    body: html.HtmlElement, blocks: list[Block], voted: list[bool], clean: list[bool]
) -> html.HtmlElement | None:
    """The smallest element around 80 % of the votes, None where they are less than 35 % of its words.

    It is widened to the section or thread around it.
    """
    found = word_sums(blocks, voted)
    enough = _REGION_SHARE * found.get(body, 0)
    region = body
    while enough:
        inner = next((child for child in region if found.get(child, 0) >= enough), None)
        if inner is None:
            break
        region = inner
    unmarked = word_sums(blocks, clean)
    if not enough or found[region] < _PURE_REGION_SHARE * unmarked.get(region, 0):
        return None
    return thread_around(section_around(region), unmarked)


def keep_title(
    blocks: list[Block], keep: list[bool], clean: list[bool], first: int, *, has_byline: bool
) -> None:
    """A title and its subtitle stand before the content's first block, not always in the same part.

    Args:
        blocks: of the page.
        keep: the verdicts, changed in place.
        clean: which blocks are no boilerplate.
        first: the content's first block.
        has_byline: what else stands between them is the author and the date, which are in the metadata: of it
            only sentences are kept; a box about the author may stand there, too.
    """
    missing = 0
    for index in range(first - 1, -1, -1):
        missing += 0 if keep[index] else len(blocks[index].words)
        if missing > _MAX_TITLE_WORDS or not (clean[index] or has_byline):
            return
        if clean[index] and blocks[index].element.tag == "h1":
            for between in range(index, first):
                keep[between] |= clean[between] and _belongs_to_title(blocks[between], has_byline)
            return


def _belongs_to_title(block: Block, has_byline: bool) -> bool:
    if has_byline and block.element.tag not in HEADINGS:
        return not block.link_words and len(block.words) >= _SENTENCE_WORDS
    return block.link_words <= len(block.words) / 2

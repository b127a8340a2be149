"""How likely a conversion found the main content of a page, as far as that can be seen without knowing it."""

import math

from ragcrawler.conversion.html.selection.block_scores import Ballot, count_words
from ragcrawler.conversion.html.selection.blocks import Block

_ENOUGH_WORDS = 100


def quality_of(blocks: list[Block], keep: list[bool], ballot: Ballot) -> float:
    """The score of a conversion, from 0 to 1 with two decimals.

    The geometric mean of two shares: how far the words that are kept agree with the extractor's (F1 of both),
    and how many of them are no link texts; less where less than 100 words are kept.

    Args:
        blocks: of the page.
        keep: whether each is in the text.
        ballot: what the extractor voted for.
    """
    kept = count_words(blocks, keep)
    if not kept:
        return 0.0
    agreed = count_words(blocks, [a and b for a, b in zip(keep, ballot.voted, strict=True)])
    agreement = 2 * agreed / (kept + count_words(blocks, ballot.voted))
    linked = sum(block.link_words for block, is_kept in zip(blocks, keep, strict=True) if is_kept)
    return round(min(1.0, kept / _ENOUGH_WORDS) * math.sqrt(agreement * (1 - linked / kept)), 2)

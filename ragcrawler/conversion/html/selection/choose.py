"""What is the content of a page: its kind, the blocks that stay, what else it declares."""

import math
from dataclasses import dataclass

from lxml import html

from ragcrawler.conversion.html.kinds import classify
from ragcrawler.conversion.html.selection.block_scores import Ballot, count_votes, count_words
from ragcrawler.conversion.html.selection.blocks import Block
from ragcrawler.conversion.html.selection.by_kind.product import Product, declared_product
from ragcrawler.conversion.html.selection.by_kind.profile import profile_of
from ragcrawler.conversion.html.selection.extractor_text import Vote
from ragcrawler.conversion.html.selection.select_content import Selection, select


@dataclass(frozen=True, slots=True)
class Choice:
    """The content of a page.

    Attributes:
        selection: a verdict on each block.
        kind: of the page, "" where it is not clear.
        quality: how likely the content was found, None where nobody was asked.
        product: what a product's page declares.
    """

    selection: Selection
    kind: str = ""
    quality: float | None = None
    product: Product | None = None


def choose(
    root: html.HtmlElement, url: str, body: html.HtmlElement, blocks: list[Block], vote: Vote | None
) -> Choice:
    """Choose the content; all of it where there is no vote."""
    if vote is None:
        return Choice(Selection([True] * len(blocks), "everything"))
    ballot = count_votes(blocks, vote)
    verdict = classify(root, url, body, blocks, ballot.words)
    profile = profile_of(verdict)
    selection = select(body, blocks, ballot, profile)
    product = declared_product(root) if profile.has_product else None
    return Choice(selection, verdict.sure, quality_of(blocks, selection.keep, ballot), product)


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

"""What is the content of a page: its kind, the blocks that stay, what else it declares."""

from dataclasses import dataclass

from lxml import html

from ragcrawler.conversion.html.kinds import classify
from ragcrawler.conversion.html.selection.block_scores import count_votes
from ragcrawler.conversion.html.selection.blocks import Block
from ragcrawler.conversion.html.selection.by_kind.product import Product, declared_product
from ragcrawler.conversion.html.selection.by_kind.profile import profile_of
from ragcrawler.conversion.html.selection.extractor_text import Vote
from ragcrawler.conversion.html.selection.quality import quality_of
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

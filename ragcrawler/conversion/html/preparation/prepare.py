"""The steps of preparation, in order."""

from lxml import html

from ragcrawler.conversion.html.preparation.block_links import unwrap_block_links
from ragcrawler.conversion.html.preparation.code_blocks import tidy_code_blocks
from ragcrawler.conversion.html.preparation.controls import drop_controls
from ragcrawler.conversion.html.preparation.footnotes import mark_footnotes
from ragcrawler.conversion.html.preparation.formulas import mark_formulas
from ragcrawler.conversion.html.preparation.hidden import drop_hidden
from ragcrawler.conversion.html.preparation.icon_tables import unwrap_icon_tables
from ragcrawler.conversion.html.preparation.noscript import reveal_noscript
from ragcrawler.conversion.html.preparation.pictures import settle_pictures


def prepare(body: html.HtmlElement) -> int:
    """Change the body in place; returns the characters of hidden text that were dropped.

    Formulas come before hidden text: their readable source is often what is hidden.
    """
    reveal_noscript(body)
    mark_formulas(body)
    settle_pictures(body)
    hidden_characters = drop_hidden(body)
    unwrap_icon_tables(body)
    drop_controls(body)
    tidy_code_blocks(body)
    mark_footnotes(body)
    unwrap_block_links(body)
    return hidden_characters

"""Quotations."""

from lxml import html

from ragcrawler.conversion.html.renderer import Renderer, quoted


def render_quote(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    """The blocks of a quotation, each line behind `>`."""
    renderer.enter(element)
    blocks = renderer.blocks(element)
    return [quoted(blocks)] if blocks else []

"""Headings, with marks for the ids that lead to them."""

from lxml import html

from ragcrawler.conversion.html.renderer import Renderer
from ragcrawler.items import split_label


def render_heading(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    """One line, and a paragraph with what it has over 1,000 characters: a heading stands in many chunks."""
    text, rest = split_label(renderer.inline(element))
    if not text:
        return []
    if rest:
        renderer.cut.add("heading")
    heading = f"{'#' * int(element.tag[1])} {text}{renderer.mark(element)}"
    return [heading, rest] if rest else [heading]

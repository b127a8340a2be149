"""Headings, with marks for the ids that lead to them."""

from lxml import html

from ragcrawler.conversion.html.renderer import Renderer


def render_heading(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    """One line; a heading without text is looked through for pictures."""
    text = renderer.inline(element)
    if not text:
        return []
    return [f"{'#' * int(element.tag[1])} {text}{renderer.mark(element)}"]

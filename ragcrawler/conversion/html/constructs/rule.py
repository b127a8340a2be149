"""Thematic breaks."""

from lxml import html

from ragcrawler.conversion.html.renderer import Renderer


def render_rule(_renderer: Renderer, _element: html.HtmlElement) -> list[str]:
    """A line across the page."""
    return ["---"]

"""The line that opens a `details` element."""

from lxml import html

from ragcrawler.conversion.html.renderer import Renderer
from ragcrawler.conversion.html.tags import HEADINGS


def render_summary(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    """A paragraph in bold, or the heading that stands in it."""
    if next(element.iter(*HEADINGS), None) is not None:
        return renderer.blocks(element)
    renderer.enter(element)
    text = renderer.inline(element)
    return [(text if "**" in text else f"**{text}**") + renderer.place()] if text else []

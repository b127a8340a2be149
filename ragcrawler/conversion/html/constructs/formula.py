"""Formulas that stand by themselves."""

from lxml import html

from ragcrawler.conversion.html.renderer import Renderer


def render_formula(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    """A block of TeX between `$$` lines."""
    renderer.enter(element)
    return [f"$${renderer.place()}\n{element.text}\n$$"] if element.text else []

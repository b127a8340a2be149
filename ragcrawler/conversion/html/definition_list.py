"""Definition lists: `Term` and `: definition` where they are plain, paragraphs where they hold whole sections."""

from lxml import html

from ragcrawler.conversion.html.renderer import Renderer


def render_definition_list(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    """The blocks of a list of terms."""
    blocks: list[str] = []
    for child in _members(element):
        if child.tag == "dt":
            text = renderer.inline(child)
            if text:
                blocks.append(f"{text}{renderer.mark(child)}")
        else:
            blocks.extend(renderer.blocks(child))
    return blocks


def _members(element: html.HtmlElement) -> list[html.HtmlElement]:
    members: list[html.HtmlElement] = []
    for child in element:
        members.extend(child if child.tag == "div" else [child])
    return members

"""Definition lists: `Term` over `: definition`, or bold terms where they hold whole sections."""

from lxml import html

from ragcrawler.conversion.html.escape import escape_line_start
from ragcrawler.conversion.html.renderer import Renderer, indented

_SECTION_PARTS = ("dl", "pre", "table", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote")


def render_definition_list(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    """The blocks of a list of terms.

    Most readers of Markdown take an indented block for code, so definitions that hold code, tables or further
    lists of terms are not indented: their terms stand in bold above them. Terms without definitions, as in a
    table of contents, are bullets.
    """
    renderer.enter(element)
    if next(element.iterdescendants(*_SECTION_PARTS), None) is not None:
        return _sections(renderer, element)
    return _plain(renderer, element)


def _plain(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    members = _members(element)
    bullet = "" if any(child.tag == "dd" for child in members) else "- "
    notes: list[str] = []
    groups: list[list[str]] = []
    is_defined = True
    for child in members:
        if child.get("data-footnote"):
            notes.extend(renderer.note(child))
        elif child.tag != "dt":
            renderer.enter(child)
            definition = renderer.blocks(child)
            if definition:
                groups = groups or [[]]
                groups[-1].append(": " + indented("\n\n".join(definition), "  ").lstrip())
            is_defined = True
        elif text := renderer.inline(child):
            if is_defined:
                groups.append([])
            groups[-1].append(bullet + escape_line_start(text) + renderer.mark(child))
            is_defined = False
    return [*notes, *("\n".join(group) for group in groups)]


def _sections(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    blocks: list[str] = []
    for child in _members(element):
        if child.tag == "dt":
            text = renderer.inline(child)
            if text:
                blocks.append(_bold(text) + renderer.mark(child))
        else:
            renderer.enter(child)
            blocks.extend(renderer.blocks(child))
    return blocks


def _bold(text: str) -> str:
    return text if "**" in text else f"**{text}**"


def _members(element: html.HtmlElement) -> list[html.HtmlElement]:
    members: list[html.HtmlElement] = []
    for child in element:
        members.extend(child if child.tag == "div" else [child])
    return members

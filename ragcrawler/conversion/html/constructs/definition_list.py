"""Definition lists: `Term` over `: definition`, or bold terms where they hold whole sections."""

from lxml import html

from ragcrawler.conversion.html.renderer import Renderer, indented

_SECTION_PARTS = ("dl", "pre", "table", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote")


def render_definition_list(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    """The blocks of a list of terms.

    Most readers of Markdown take an indented block for code, so definitions that hold code, tables or further
    lists of terms are not indented: their terms stand in bold above them.
    """
    plain = next(element.iterdescendants(*_SECTION_PARTS), None) is None
    return _plain(renderer, element) if plain else _sections(renderer, element)


def _plain(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    blocks: list[str] = []
    lines: list[str] = []
    for child in _members(element):
        if child.get("data-footnote"):
            blocks.extend(renderer.note(child))
        elif child.tag == "dt":
            if lines and lines[-1].startswith(":"):
                blocks.append("\n".join(lines))
                lines = []
            text = renderer.inline(child)
            if text:
                lines.append(text + renderer.mark(child))
        elif body := renderer.blocks(child):
            definition = ": " + indented("\n\n".join(body), "  ").lstrip()
            lines.append(definition)
    return [*blocks, "\n".join(lines)] if lines else blocks


def _sections(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    blocks: list[str] = []
    for child in _members(element):
        if child.tag == "dt":
            text = renderer.inline(child)
            if text:
                blocks.append(_bold(text) + renderer.mark(child))
        else:
            blocks.extend(renderer.blocks(child))
    return blocks


def _bold(text: str) -> str:
    return text if "**" in text else f"**{text}**"


def _members(element: html.HtmlElement) -> list[html.HtmlElement]:
    members: list[html.HtmlElement] = []
    for child in element:
        members.extend(child if child.tag == "div" else [child])
    return members

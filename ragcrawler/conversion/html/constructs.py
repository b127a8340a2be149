"""The table of block constructs."""

from collections.abc import Mapping

from lxml import html

from ragcrawler.conversion.html.code import render_code
from ragcrawler.conversion.html.definition_list import render_definition_list
from ragcrawler.conversion.html.lists import render_list
from ragcrawler.conversion.html.renderer import Construct, Renderer
from ragcrawler.conversion.html.table import render_table
from ragcrawler.conversion.html.tags import HEADINGS


def _heading(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    text = renderer.inline(element)
    if not text:
        return renderer.blocks(element)
    return [f"{'#' * int(element.tag[1])} {text}{renderer.mark(element)}"]


def _quote(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    text = "\n\n".join(renderer.blocks(element))
    return ["\n".join(f"> {line}".rstrip() for line in text.split("\n"))] if text else []


def _rule(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    return ["---"]


CONSTRUCTS: Mapping[str, Construct] = {
    **dict.fromkeys(HEADINGS, _heading),
    "pre": render_code,
    "xmp": render_code,
    "ul": render_list,
    "ol": render_list,
    "menu": render_list,
    "dl": render_definition_list,
    "table": render_table,
    "blockquote": _quote,
    "hr": _rule,
}

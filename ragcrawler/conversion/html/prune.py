"""Taking everything but the kept blocks out of the page."""

from lxml import html

from ragcrawler.conversion.html.blocks import Block, is_atom
from ragcrawler.conversion.html.boilerplate import is_landmark
from ragcrawler.conversion.html.tags import BLOCKS


def prune(body: html.HtmlElement, blocks: list[Block], keep: list[bool]) -> None:
    """Remove the blocks that are not kept; of a dropped block the own text goes, kept children stay."""
    alive: set[html.HtmlElement] = {body}
    dropped: set[html.HtmlElement] = set()
    for block, kept in zip(blocks, keep, strict=True):
        if not kept:
            dropped.add(block.element)
            continue
        alive.update(block.path)
    _prune(body, alive, dropped)


def _prune(element: html.HtmlElement, alive: set[html.HtmlElement], dropped: set[html.HtmlElement]) -> None:
    own_text_dropped = element in dropped
    if own_text_dropped:
        element.text = None
    for child in list(element):
        if own_text_dropped:
            child.tail = None
        if child in alive:
            if not is_atom(child):
                _prune(child, alive, dropped)
        elif own_text_dropped or (child.tag in BLOCKS and not _is_picture(child)):
            child.drop_tree()
        elif len(child):
            _prune(child, alive, dropped)


def _is_picture(element: html.HtmlElement) -> bool:
    """A block that holds pictures and no text, among content."""
    parent = element.getparent()
    if parent is None or parent.tag == "body" or is_landmark(element) or element.text_content().strip():
        return False
    return next(element.iter("img"), None) is not None

"""Taking everything but the kept blocks out of the page."""

from lxml import html

from ragcrawler.conversion.html.selection.blocks import Block, is_atom
from ragcrawler.conversion.html.selection.boilerplate import is_landmark
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
        elif own_text_dropped or (child.tag in BLOCKS and not _is_silent(child, alive)):
            child.drop_tree()
        elif len(child):
            _prune(child, alive, dropped)


def _is_silent(element: html.HtmlElement, alive: set[html.HtmlElement]) -> bool:
    """A block without text that matters all the same: the target of links, or a picture amid content."""
    if is_landmark(element) or element.text_content().strip():
        return False
    if any(anchor.get("id") or anchor.get("name") for anchor in element.iter("a")):
        return True
    if next(element.iter("img"), None) is None:
        return False
    parent, before, after = element.getparent(), element.getprevious(), element.getnext()
    return (parent is not None and parent.tag != "body") or (before in alive and after in alive)

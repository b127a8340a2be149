"""Lists: by items; an item over the limit by what is in it."""

import re

from ragcrawler.chunking.parsing.elements import MarkdownElement
from ragcrawler.chunking.sizing.units import Boundary, Unit
from ragcrawler.chunking.splitters.protocol import Splitting

_MARKER = re.compile(r"([ \t]*)(?:[-+*]|\d{1,9}[.)])([ \t]*)")
_TAB = 4


def split_list(element: MarkdownElement, splitting: Splitting) -> list[Unit]:
    """An item a unit; nested items stay with their parent where they fit."""
    identity = splitting.numbered("list", len(element.children))
    units: list[Unit] = []
    for number, item in enumerate(element.children, 1):
        parts = splitting.units(item)
        indent = (item.start, text_column(item.source.lines(item.line_start, item.line_start + 1)))
        for part in parts:
            part.indents = (indent, *part.indents)
            part.element, part.number = identity, number
            part.boundary = min(part.boundary + Boundary.INSIDE_ITEM, Boundary.LEAD_IN)
            if part.kind == "text":
                part.kind = "list"
        parts[0].boundary = Boundary.ITEM
        units += parts
    units[0].boundary = Boundary.ELEMENT
    return units


def text_column(line: str) -> int:
    """The column at which an item's text begins; its further lines stand at least there."""
    marker = _MARKER.match(line)
    if marker is None:
        return 0
    width = len(marker[0].expandtabs(_TAB))
    spaces = width - len(line[: marker.start(2)].expandtabs(_TAB))
    if spaces > _TAB or not line[marker.end() :].strip():
        return width - spaces + 1
    return width

"""Split containers of other blocks: quotes, list items, definitions, footnotes."""

from ragcrawler.chunking.parsing.elements import MarkdownElement
from ragcrawler.chunking.sizing.units import Boundary, Unit
from ragcrawler.chunking.splitters.lines import split_lines
from ragcrawler.chunking.splitters.protocol import Splitting


def split_container(element: MarkdownElement, splitting: Splitting) -> list[Unit]:
    """The units of the blocks inside; the first begins where the container does, the last ends with it."""
    units = [unit for child in element.children for unit in splitting.units(child)]
    if not units:
        return split_lines(element, splitting)
    units[0].boundary = Boundary.ELEMENT
    return units


def split_quote(element: MarkdownElement, splitting: Splitting) -> list[Unit]:
    """Every line of a quote carries its mark; nothing inside is moved to the left."""
    units = split_container(element, splitting)
    for unit in units:
        unit.indents = ()
        if unit.kind == "text":
            unit.kind = "quote"
    return units

"""Split by lines: HTML, formulas, link definitions."""

from ragcrawler.chunking.parsing.elements import MarkdownElement
from ragcrawler.chunking.sizing.units import Boundary, Unit
from ragcrawler.chunking.splitters.paragraph import piece_unit
from ragcrawler.chunking.splitters.protocol import Splitting
from ragcrawler.chunking.splitters.text_pieces import split_text


def split_lines(element: MarkdownElement, splitting: Splitting) -> list[Unit]:
    """A unit a line; a line over the limit as running text."""
    units: list[Unit] = []
    after_blank = False
    for line in range(element.line_start, element.line_end):
        start, end = element.source.offset(line), element.source.offset(line + 1)
        if element.source.is_blank(line):
            after_blank = True
            continue
        tokens = splitting.budget.map.count(start, end)
        boundary = Boundary.BLANK_LINE if after_blank else Boundary.LINE
        if tokens <= splitting.budget.limit:
            units.append(Unit(start, end, tokens, "text", boundary))
        else:
            units += [piece_unit(piece) for piece in split_text(start, end, splitting.budget)]
        after_blank = False
    if element.type.value == "html":
        for unit in units:
            unit.kind = "html"
    units[0].boundary = Boundary.ELEMENT
    return units

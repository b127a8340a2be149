"""Paragraphs: by sentences, then clauses, then words."""

from ragcrawler.chunking.parsing.elements import MarkdownElement
from ragcrawler.chunking.sizing.units import Boundary, Unit
from ragcrawler.chunking.splitters.prefix import container_marks, continued
from ragcrawler.chunking.splitters.protocol import Splitting
from ragcrawler.chunking.splitters.text_pieces import Piece, split_text
from ragcrawler.items import ChunkType

# Text that is not wrapped parts its paragraphs by single line ends.
_LONG_LINE = 200


def split_paragraph(element: MarkdownElement, splitting: Splitting) -> list[Unit]:
    """Sentences as units; a quote's mark is repeated where a part begins within a line."""
    first_line = element.source.lines(element.line_start, element.line_start + 1)
    marks = continued(container_marks(first_line))
    reopen = marks if ">" in marks else ""
    reopen_tokens = splitting.budget.count(reopen) if reopen else 0
    pieces = split_text(element.start, element.end, splitting.budget.without(reopen_tokens))
    units = [piece_unit(piece) for piece in pieces]
    units[0].boundary = Boundary.ELEMENT
    for unit in units[1:]:
        unit.reopen, unit.reopen_tokens = reopen, reopen_tokens
    _lead_in(element, units)
    return units


def _lead_in(element: MarkdownElement, units: list[Unit]) -> None:
    """Give each further unit the first sentence of its paragraph; a long line is one of its own."""
    source = element.source
    first = 0
    for unit in units[1:]:
        line = source.line_at(unit.start)
        begin = source.offset(line)
        if source.offset(line + 1) - begin < _LONG_LINE:
            begin = element.start
        while units[first].end <= begin:
            first += 1
        if begin < unit.start:
            unit.lead_in = (max(begin, units[first].start), units[first].end)


def piece_unit(piece: Piece, kind: ChunkType = "text") -> Unit:
    """A piece of text as a unit."""
    return Unit(
        piece.start, piece.end, piece.tokens, kind, piece.boundary, text=piece.text, full_text=piece.full_text
    )

"""HTML: by lines; a table by rows, its head repeated in every part."""

import re
from dataclasses import dataclass
from itertools import pairwise

from ragcrawler.chunking.parsing.elements import MarkdownElement
from ragcrawler.chunking.sizing.units import Boundary, Unit
from ragcrawler.chunking.splitters.lines import split_lines
from ragcrawler.chunking.splitters.protocol import Splitting

_TABLE = re.compile(r"\s*<table\b[^<>]*>", re.IGNORECASE)
_INNER_TABLE = re.compile(r"<table\b", re.IGNORECASE)
_HEAD_END = re.compile(r"</thead\s*>\s*", re.IGNORECASE)
_HEAD_CELL = re.compile(r"<th\b", re.IGNORECASE)
_ROW_END = re.compile(r"</tr\s*>\s*", re.IGNORECASE)
_CLOSING = "</table>\n"


@dataclass(frozen=True, slots=True)
class _HtmlTable:
    """A table that is a whole block of HTML.

    Attributes:
        head: its opening tag and the rows that name its columns.
        edges: offsets in the block: its beginning, the beginnings of the rows but the first, its end.
    """

    head: str
    edges: list[int]


def split_html(element: MarkdownElement, splitting: Splitting) -> list[Unit]:
    """A row of a table a unit, else a line a unit."""
    table = _read_table(element.content)
    head_tokens = splitting.budget.count(table.head) if table else 0
    if table is None or head_tokens * 2 > splitting.budget.limit:
        return split_lines(element, splitting)
    reclose_tokens = splitting.budget.count(_CLOSING)
    spans = list(pairwise(element.start + edge for edge in table.edges))
    units = [
        Unit(
            *span,
            tokens,
            "html",
            Boundary.ROW,
            reopen=table.head,
            reopen_tokens=head_tokens,
            reclose=_CLOSING,
            reclose_tokens=reclose_tokens,
        )
        for span, tokens in zip(spans, splitting.budget.count_spans(spans), strict=True)
    ]
    # The first has the head as it stands in the source, the last the end of the table.
    units[0].boundary = Boundary.ELEMENT
    units[0].reopen, units[0].reopen_tokens = "", 0
    units[-1].reclose, units[-1].reclose_tokens = "", 0
    return units


def _read_table(block: str) -> _HtmlTable | None:
    opening = _TABLE.match(block)
    if opening is None or _INNER_TABLE.search(block, opening.end()):
        return None
    ends = [match.end() for match in _ROW_END.finditer(block)]
    head_end = opening.end()
    if head := _HEAD_END.search(block):
        head_end = head.end()
    elif ends and _HEAD_CELL.search(block, opening.end(), ends[0]):
        head_end = ends[0]
    starts = [end for end in ends if end > head_end]
    # What stands behind the last row belongs to it.
    return _HtmlTable(block[:head_end].rstrip() + "\n", [0, *starts[:-1], len(block)])

"""Tables: by rows, the header repeated in every part; a row over the limit by cells."""

import re
from collections.abc import Iterator

from ragcrawler.chunking.budget import Budget
from ragcrawler.chunking.elements import MarkdownElement
from ragcrawler.chunking.splitters.prefix import container_marks, continued
from ragcrawler.chunking.splitters.protocol import Splitting
from ragcrawler.chunking.text_pieces import Piece, split_text
from ragcrawler.chunking.units import Boundary, SplitElement, Unit

_CELL_END = re.compile(r"(?<!\\)\|")


def split_table(element: MarkdownElement, splitting: Splitting) -> list[Unit]:
    """A unit a row; the header belongs to the first."""
    rows = range(element.line_start + 2, element.line_end)
    identity = splitting.numbered("table", len(rows))
    table = _Table(element, splitting.budget)
    units: list[Unit] = []
    for number, line in enumerate(rows, 1):
        parts = list(table.row(line, first=number == 1))
        for part in parts:
            part.element, part.number = identity, number
        units += parts
    units = units or list(table.header_only(identity))
    units[0].boundary = Boundary.ELEMENT
    return units


class _Table:
    """A table's header, ready to be repeated, and its rows as units."""

    def __init__(self, element: MarkdownElement, budget: Budget) -> None:
        self._source = element.source
        self._budget = budget
        self._start = element.start
        self._head_end = element.source.offset(element.line_start + 2)
        head = element.source.lines(element.line_start, element.line_start + 1)
        rule = element.source.lines(element.line_start + 1, element.line_start + 2)
        self._marks = continued(container_marks(head))
        self._cells = _cells(head[len(self._marks) :])
        self._rules = [_short_rule(cell) for cell in _cells(rule[len(container_marks(rule)) :])]
        self._reopen = self._head(0, len(self._cells))
        self._reopen_tokens = budget.count(self._reopen)

    def row(self, line: int, *, first: bool) -> Iterator[Unit]:
        """The row as one unit where it fits under the header, else cut by cells."""
        start, end = self._source.offset(line), self._source.offset(line + 1)
        tokens = self._budget.map.count(start, end)
        if first:
            whole = self._budget.map.count(self._start, end)
            if whole <= self._budget.limit:
                yield Unit(self._start, end, whole, "table", Boundary.ELEMENT)
                return
            yield from self._first_row(start, end, tokens)
        elif tokens + self._reopen_tokens <= self._budget.limit:
            yield self._under_header(start, end, tokens)
        else:
            yield from self._by_cells(start, end)

    def header_only(self, identity: SplitElement) -> Iterator[Unit]:
        """A header without rows that is over the limit."""
        for piece in split_text(self._start, self._head_end, self._budget):
            yield _table_unit(piece, identity)

    def _under_header(self, start: int, end: int, tokens: int) -> Unit:
        return Unit(
            start, end, tokens, "table", Boundary.ROW, reopen=self._reopen, reopen_tokens=self._reopen_tokens
        )

    def _first_row(self, start: int, end: int, tokens: int) -> Iterator[Unit]:
        """The header as written is too wide (long rules, say): written again, with short rules."""
        if tokens + self._reopen_tokens <= self._budget.limit:
            text = self._reopen + self._source.text[start:end]
            yield Unit(self._start, end, self._budget.count(text), "table", Boundary.ELEMENT, text=text)
            return
        parts = list(self._by_cells(start, end))
        parts[0].start = self._start
        yield from parts

    def _by_cells(self, start: int, end: int) -> Iterator[Unit]:
        """As many columns a part as fit, each part a table of its own under its part of the header."""
        row = self._source.text[start:end]
        spans = _cell_spans(row)
        first = 0
        while first < len(spans):
            behind = first + 1
            text = self._columns(row, spans, first, behind)
            while behind < len(spans):
                wider = self._columns(row, spans, first, behind + 1)
                if self._budget.count(wider) > self._budget.limit:
                    break
                text, behind = wider, behind + 1
            at = start + (spans[first][0] if first else 0)
            upto = end if behind == len(spans) else start + spans[behind][0]
            yield from self._part(at, upto, text)
            first = behind

    def _part(self, start: int, end: int, text: str) -> Iterator[Unit]:
        tokens = self._budget.count(text)
        if tokens <= self._budget.limit:
            yield Unit(start, end, tokens, "table", Boundary.CLAUSE, text=text, stands_alone=True)
            return
        for piece in split_text(start, end, self._budget):
            yield _table_unit(piece, None)

    def _columns(self, row: str, spans: list[tuple[int, int]], first: int, behind: int) -> str:
        cells = [row[a:b].strip() for a, b in spans[first:behind]]
        return f"\n{self._head(first, behind)}{self._marks}| {' | '.join(cells)} |\n\n"

    def _head(self, first: int, behind: int) -> str:
        """The header's cells over the shortest rules that say the same."""
        width = behind - first
        names = [*self._cells[first:behind], *[""] * width][:width]
        rules = [*self._rules[first:behind], *["-"] * width][:width]
        return f"{self._marks}| {' | '.join(names)} |\n{self._marks}|{'|'.join(rules)}|\n"


def _cells(line: str) -> list[str]:
    return [line[start:end].strip() for start, end in _cell_spans(line)]


def _cell_spans(line: str) -> list[tuple[int, int]]:
    """Where each cell's text lies, the bars and what surrounds the row left out."""
    begin = len(line) - len(line.lstrip(" \t>"))
    end = len(line.rstrip())
    if line[begin:end].startswith("|"):
        begin += 1
    bars = [match.start() for match in _CELL_END.finditer(line, begin, end)]
    edges = [begin, *(bar + 1 for bar in bars)]
    spans = list(zip(edges, [*bars, end], strict=True))
    if len(spans) > 1 and spans[-1][0] >= spans[-1][1]:
        spans.pop()
    return spans


def _short_rule(rule: str) -> str:
    return (":" if rule.startswith(":") else "") + "-" + (":" if rule.endswith(":") else "")


def _table_unit(piece: Piece, identity: SplitElement | None) -> Unit:
    return Unit(
        piece.start,
        piece.end,
        piece.tokens,
        "table",
        piece.boundary,
        text=piece.text,
        full_text=piece.full_text,
        stands_alone=True,
        element=identity,
    )

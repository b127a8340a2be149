"""Tables: by rows, the header repeated in every part; a row over the limit by cells."""

import re
from collections.abc import Iterator
from dataclasses import replace

from ragcrawler.chunking.parsing.elements import MarkdownElement
from ragcrawler.chunking.sizing.budget import Budget
from ragcrawler.chunking.sizing.units import Boundary, Unit
from ragcrawler.chunking.splitters.paragraph import piece_unit
from ragcrawler.chunking.splitters.prefix import container_marks, continued
from ragcrawler.chunking.splitters.protocol import Splitting
from ragcrawler.chunking.splitters.text_pieces import split_text

# What a table of one column has besides its texts, and each further column adds at most.
_BARS = 6
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
    units = units or list(table.header_only())
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

    def header_only(self) -> Iterator[Unit]:
        """The header by itself, as running text where it is over the limit."""
        for piece in split_text(self._start, self._head_end, self._budget):
            yield piece_unit(piece, "table")

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
        if parts[0].text is None:
            yield from self.header_only()
        else:
            parts[0].start = self._start
        yield from parts

    def _by_cells(self, start: int, end: int) -> Iterator[Unit]:
        """As many columns a part as fit, each part a table of its own under its part of the header."""
        spans = _cell_spans(self._source.text[start:end])
        costs = self._column_costs(start, spans)
        first = 0
        while first < len(spans):
            behind, cost = first + 1, costs[first]
            while behind < len(spans) and cost + costs[behind] <= self._budget.limit:
                cost += costs[behind]
                behind += 1
            edge = end if behind == len(spans) else start + spans[behind][0]
            yield from self._part(start, spans, first, behind, edge)
            first = behind

    def _column_costs(self, start: int, spans: list[tuple[int, int]]) -> list[int]:
        """Tokens of each column: its cell, its name, its rule, and the bars."""
        cells = self._budget.count_spans([(start + a, start + b) for a, b in spans])
        return [
            tokens + self._budget.count(self._head(index, index + 1)) + _BARS
            for index, tokens in enumerate(cells)
        ]

    def _part(
        self, start: int, spans: list[tuple[int, int]], first: int, behind: int, edge: int
    ) -> Iterator[Unit]:
        head = self._head(first, behind)
        begin = start + (spans[first][0] if first else 0)
        texts = self._source.text
        cells = [texts[start + a : start + b].strip() for a, b in spans[first:behind]]
        text = f"\n{head}{self._marks}| {' | '.join(cells)} |\n\n"
        tokens = self._budget.count(text)
        if tokens <= self._budget.limit:
            yield Unit(begin, edge, tokens, "table", Boundary.CLAUSE, text=text, stands_alone=True)
        else:
            yield from self._cut_cell(begin, edge, head)

    def _cut_cell(self, begin: int, edge: int, head: str) -> Iterator[Unit]:
        """A cell over the limit as running text, each piece under the cell's name if that leaves room."""
        room = self._budget.without(self._budget.count(head) + _BARS)
        if room.limit * 2 < self._budget.limit:
            for piece in split_text(begin, edge, self._budget):
                bare = piece.text or self._source.text[piece.start : piece.end]
                yield replace(piece_unit(piece, "table"), text=bare.lstrip() + "\n")
            return
        for piece in split_text(begin, edge, room):
            cell = (piece.text or self._source.text[piece.start : piece.end]).strip().strip("|").strip()
            text = f"\n{head}{self._marks}| {cell} |\n\n"
            yield replace(
                piece_unit(piece, "table"), tokens=self._budget.count(text), text=text, stands_alone=True
            )

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

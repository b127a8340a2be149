"""Tables: by rows, the header repeated in every part; a row over the limit by cells."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ragcrawler.chunking.parsing.elements import MarkdownElement
from ragcrawler.chunking.sizing.budget import TokenBudget
from ragcrawler.chunking.sizing.units import Boundary, Unit
from ragcrawler.chunking.splitters.paragraph import piece_unit
from ragcrawler.chunking.splitters.prefix import container_marks, continued
from ragcrawler.chunking.splitters.protocol import Splitting
from ragcrawler.chunking.splitters.text_pieces import joined, split_text

# What a table of one column has besides its texts, and each further column adds at most.
_BARS = 6
# A first cell up to this share of the limit is repeated in every part of its row.
_KEY_SHARE = 1 / 4
_CELL_END = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class _RowPart:
    """Some cells of a row.

    Attributes:
        columns: their columns; none for text without a head.
        cells: their texts.
        tokens: of both with the head.
        end: offset behind the last.
        full_text: as in `Unit`.
    """

    columns: tuple[int, ...] = ()
    cells: tuple[str, ...] = ()
    tokens: int = 0
    end: int = 0
    full_text: str = ""

    def beside(self, column: int, cell: str, tokens: int, end: int) -> "_RowPart":
        """The same with one more cell."""
        columns, cells = (*self.columns, column), (*self.cells, cell)
        return replace(self, columns=columns, cells=cells, tokens=self.tokens + tokens, end=end)


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

    def __init__(self, element: MarkdownElement, budget: TokenBudget) -> None:
        self._source = element.source
        self._budget = budget
        self._start = element.start
        self._head_end = element.source.offset(element.line_start + 2)
        head = element.source.lines(element.line_start, element.line_start + 1)
        rule = element.source.lines(element.line_start + 1, element.line_start + 2)
        self._marks = continued(container_marks(head))
        self._cells = _cells(head[len(self._marks) :])
        self._rules = [_short_rule(cell) for cell in _cells(rule[len(container_marks(rule)) :])]
        self._reopen = self._head(range(len(self._cells)))
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
        parts = self._by_cells(start, end)
        if all(part.stands_alone for part in parts):
            parts[0].start = self._start
        else:
            yield from self.header_only()
        yield from parts

    def _by_cells(self, start: int, end: int) -> list[Unit]:
        """As many columns a part as fit; each part is a table of its own and repeats the row's first cell."""
        spans = [(start + a, start + b) for a, b in _cell_spans(self._source.text[start:end])]
        spans += [(end, end)] * (len(self._cells) - len(spans))
        costs = self._column_costs(spans)
        has_key = len(spans) > 1 and costs[0] <= self._budget.limit * _KEY_SHARE
        key = _RowPart((0,), (self._cell(spans[0]),), costs[0], start) if has_key else None
        parts: list[_RowPart] = []
        for column in range(int(has_key), len(spans)):
            edge = spans[column + 1][0] if column + 1 < len(spans) else end
            if parts and parts[-1].columns and parts[-1].tokens + costs[column] <= self._budget.limit:
                parts[-1] = parts[-1].beside(column, self._cell(spans[column]), costs[column], edge)
                continue
            whole = _RowPart(end=edge) if key is None else replace(key, end=edge)
            if whole.tokens + costs[column] <= self._budget.limit:
                parts.append(whole.beside(column, self._cell(spans[column]), costs[column], edge))
            else:
                # A small cell behind it shares its last part.
                following = costs[column + 1] if column + 1 < len(spans) else 0
                whole = replace(whole, tokens=following * (following <= self._budget.limit * _KEY_SHARE))
                parts += self._cut_cell(spans[column], column, whole, parts[-1].end if parts else start)
        return list(self._part_units(parts, start))

    def _column_costs(self, spans: list[tuple[int, int]]) -> list[int]:
        """Tokens of each column: its cell, its name, its rule, and the bars."""
        cells = self._budget.count_spans(spans)
        return [tokens + self._budget.count(self._head([i])) + _BARS for i, tokens in enumerate(cells)]

    def _cut_cell(
        self, span: tuple[int, int], column: int, beside: _RowPart, begin: int
    ) -> Iterator[_RowPart]:
        """A cell over the limit in parts of about one size; as running text where its name leaves no room.

        `beside.tokens` are left free.
        """
        frame = beside.beside(column, "", 0, beside.end)
        room = self._budget.without(self._budget.count(self._table(frame.columns, frame.cells)))
        is_bare = room.limit * 2 < self._budget.limit
        room = room.without(beside.tokens)
        pieces = (
            split_text(begin, beside.end, self._budget) if is_bare else joined(split_text(*span, room), room)
        )
        for index, piece in enumerate(pieces, 1):
            text = (piece.text or self._source.text[piece.start : piece.end]).strip()
            edge = piece.end if index < len(pieces) else beside.end
            if is_bare:
                yield _RowPart((), (text,), piece.tokens, edge, piece.full_text)
            else:
                part = beside.beside(column, text, 0, edge)
                tokens = self._budget.count(self._table(part.columns, part.cells))
                yield replace(part, tokens=tokens, full_text=piece.full_text)

    def _part_units(self, parts: Sequence[_RowPart], start: int) -> Iterator[Unit]:
        for part in parts:
            text = self._table(part.columns, part.cells) if part.columns else f"{part.cells[0]}\n"
            yield Unit(
                start,
                part.end,
                self._budget.count(text),
                "table" if part.columns else "text",
                Boundary.CLAUSE,
                text=text,
                full_text=part.full_text,
                stands_alone=bool(part.columns),
            )
            start = part.end

    def _cell(self, span: tuple[int, int]) -> str:
        return self._source.text[slice(*span)].strip()

    def _table(self, columns: Sequence[int], cells: Sequence[str]) -> str:
        """A table of one row."""
        return f"\n{self._head(columns)}{self._marks}| {' | '.join(cells)} |\n\n"

    def _head(self, columns: Sequence[int]) -> str:
        """The header's cells over the shortest rules that say the same."""
        names = [self._cells[column] if column < len(self._cells) else "" for column in columns]
        rules = [self._rules[column] if column < len(self._rules) else "-" for column in columns]
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

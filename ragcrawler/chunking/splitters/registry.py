"""The table of splitters."""

from collections import Counter
from dataclasses import replace

from ragcrawler.chunking.config import CodePolicy
from ragcrawler.chunking.parsing.elements import ElementType, MarkdownElement
from ragcrawler.chunking.sizing.budget import TokenBudget
from ragcrawler.chunking.sizing.units import SplitElement, Unit
from ragcrawler.chunking.splitters.code import code_frame, split_code
from ragcrawler.chunking.splitters.html import split_html
from ragcrawler.chunking.splitters.lines import split_lines
from ragcrawler.chunking.splitters.lists import split_list
from ragcrawler.chunking.splitters.paragraph import piece_unit, split_paragraph
from ragcrawler.chunking.splitters.protocol import Splitter
from ragcrawler.chunking.splitters.quote import split_container, split_quote
from ragcrawler.chunking.splitters.table import split_table
from ragcrawler.chunking.splitters.text_pieces import split_text
from ragcrawler.items import ChunkType

SPLITTERS: dict[ElementType, Splitter] = {
    ElementType.HEADING: split_paragraph,
    ElementType.PARAGRAPH: split_paragraph,
    ElementType.IMAGE: split_paragraph,
    ElementType.TABLE: split_table,
    ElementType.BULLET_LIST: split_list,
    ElementType.ORDERED_LIST: split_list,
    ElementType.LIST_ITEM: split_container,
    ElementType.CODE: split_code,
    ElementType.INDENTED_CODE: split_code,
    ElementType.QUOTE: split_quote,
    ElementType.HTML: split_html,
    ElementType.DEFINITION_LIST: split_paragraph,
    ElementType.FOOTNOTE: split_paragraph,
    ElementType.MATH: split_lines,
    ElementType.THEMATIC_BREAK: split_lines,
    ElementType.LINK_DEFINITION: split_lines,
}
_CHUNK_TYPES: dict[ElementType, ChunkType] = {
    ElementType.TABLE: "table",
    ElementType.BULLET_LIST: "list",
    ElementType.ORDERED_LIST: "list",
    ElementType.LIST_ITEM: "list",
    ElementType.CODE: "code",
    ElementType.INDENTED_CODE: "code",
    ElementType.QUOTE: "quote",
    ElementType.HTML: "html",
    ElementType.IMAGE: "image",
    ElementType.DEFINITION_LIST: "list",
}


class ElementSplitter:
    """Turns elements into units: whole where they fit, else by the splitter of their kind."""

    def __init__(self, budget: TokenBudget, code_policy: CodePolicy = "lines") -> None:
        self.budget = budget
        self._code_policy = code_policy
        self._ordinals: Counter[ChunkType] = Counter()

    def units(self, element: MarkdownElement) -> list[Unit]:
        """One unit if the element fits, else those of its splitter."""
        whole = self.whole(element)
        if whole.tokens + whole.reclose_tokens <= self.budget.limit:
            return [whole]
        if element.type is ElementType.CODE and self._code_policy == "keep":
            whole.oversized = True
            return [whole]
        return self.split(element)

    def whole(self, element: MarkdownElement) -> Unit:
        """The element as one unit, whatever its size."""
        unit = Unit(
            element.start,
            element.end,
            self.budget.map.count(element.start, element.end),
            _CHUNK_TYPES.get(element.type, "text"),
            language=element.metadata.get("language", ""),
        )
        if element.type is ElementType.CODE and not element.metadata["closed"]:
            frame = code_frame(element, self.budget)
            unit.reclose, unit.reclose_tokens = frame.reclose, frame.reclose_tokens
        return unit

    def split(self, element: MarkdownElement) -> list[Unit]:
        """The parts of an element, even if it would fit; together they hold every one of its tokens."""
        units = SPLITTERS[element.type](element, self)
        self._fill_gaps(element, units)
        return [part for unit in units for part in self._within_limit(unit)]

    def within(self, limit: int) -> "ElementSplitter":
        """A splitter for smaller units of the same document."""
        other = ElementSplitter(replace(self.budget, limit=limit), self._code_policy)
        other._ordinals = self._ordinals
        return other

    def _fill_gaps(self, element: MarkdownElement, units: list[Unit]) -> None:
        """Marks on lines that no unit stands for (`>` alone, say) go to the unit before."""
        count = self.budget.map.count
        before = count(element.start, units[0].start)
        if before:
            units[0].start, units[0].tokens = element.start, units[0].tokens + before
        for index, unit in enumerate(units):
            behind = units[index + 1].start if index + 1 < len(units) else element.end
            between = count(unit.end, behind)
            if between:
                unit.end, unit.tokens = behind, unit.tokens + between

    def _within_limit(self, unit: Unit) -> list[Unit]:
        """The unit, or its bare text in pieces where its frame leaves no room."""
        if unit.oversized or unit.tokens + unit.reopen_tokens + unit.reclose_tokens <= self.budget.limit:
            return [unit]
        pieces = split_text(unit.start, unit.end, self.budget)
        return [
            replace(
                piece_unit(piece, unit.kind), indents=unit.indents, element=unit.element, number=unit.number
            )
            for piece in pieces
        ]

    def numbered(self, kind: ChunkType, total: int) -> SplitElement:
        """The next table or list that is split."""
        self._ordinals[kind] += 1
        return SplitElement(kind, self._ordinals[kind], total)

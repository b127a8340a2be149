"""The table of splitters."""

from collections import Counter

from ragcrawler.chunking.budget import Budget
from ragcrawler.chunking.config import CodePolicy
from ragcrawler.chunking.elements import ElementType, MarkdownElement
from ragcrawler.chunking.splitters.code import code_frame, split_code
from ragcrawler.chunking.splitters.lines import split_lines
from ragcrawler.chunking.splitters.lists import split_list
from ragcrawler.chunking.splitters.paragraph import split_paragraph
from ragcrawler.chunking.splitters.protocol import Splitter
from ragcrawler.chunking.splitters.quote import split_container, split_quote
from ragcrawler.chunking.splitters.table import split_table
from ragcrawler.chunking.units import SplitElement, Unit
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
    ElementType.HTML: split_lines,
    ElementType.DEFINITION_LIST: split_container,
    ElementType.FOOTNOTE: split_container,
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
}


class ElementSplitter:
    """Turns elements into units: whole where they fit, else by the splitter of their kind."""

    def __init__(self, budget: Budget, code_policy: CodePolicy = "lines") -> None:
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
        """The parts of an element, even if it would fit."""
        return SPLITTERS[element.type](element, self)

    def numbered(self, kind: ChunkType, total: int) -> SplitElement:
        """The next table or list that is split."""
        self._ordinals[kind] += 1
        return SplitElement(kind, self._ordinals[kind], total)

"""Markdown into elements: the block structure, by markdown-it; inline marks are left unread."""

import re
from functools import cache
from typing import ClassVar

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ragcrawler.chunking.parsing.elements import ElementType, MarkdownElement
from ragcrawler.chunking.parsing.front_matter import front_matter_lines
from ragcrawler.chunking.parsing.heading_text import heading_text
from ragcrawler.chunking.parsing.source import SourceText
from ragcrawler.items import bounded_label

_IMAGES_ONLY = re.compile(r"(?:\s*\[?!\[[^\]]*\]\([^()]*\)(?:\]\([^()]*\))?)+\s*")
_FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]:")
_DEFINITION = re.compile(r"[^\n]+\n(?:[^\n]+\n)*?[ ]{0,3}:[ \t]+\S|:[ \t]+\S")
_FORMULA = re.compile(r"\$\$|\\\[|\\begin\{")
_TASK = re.compile(r"[\s>]*(?:[-+*]|\d{1,9}[.)])[ \t]+\[([ xX])\][ \t]")
_CONTAINERS = {
    "bullet_list_open": ElementType.BULLET_LIST,
    "ordered_list_open": ElementType.ORDERED_LIST,
    "list_item_open": ElementType.LIST_ITEM,
    "blockquote_open": ElementType.QUOTE,
}
_BLOCKS = {
    "heading_open": ElementType.HEADING,
    "paragraph_open": ElementType.PARAGRAPH,
    "table_open": ElementType.TABLE,
    "fence": ElementType.CODE,
    "code_block": ElementType.INDENTED_CODE,
    "html_block": ElementType.HTML,
    "hr": ElementType.THEMATIC_BREAK,
}
_MAX_NESTING = 60
# Each part of a code block repeats it.
_LONGEST_LANGUAGE = 40


def paragraph_type(inline: str) -> ElementType:
    """The kind of a paragraph with this inline text."""
    if _IMAGES_ONLY.fullmatch(inline):
        return ElementType.IMAGE
    if _FOOTNOTE.match(inline):
        return ElementType.FOOTNOTE
    if _DEFINITION.match(inline):
        return ElementType.DEFINITION_LIST
    if _FORMULA.match(inline):
        return ElementType.MATH
    return ElementType.PARAGRAPH


def task_metadata(line: str) -> dict[str, str]:
    """Whether an item is a task, and done."""
    match = _TASK.match(line)
    if match is None:
        return {}
    return {"task": "open" if match[1] == " " else "done"}


class MarkdownParser:
    """Reads CommonMark with tables, task lists, front matter, formulas, footnotes and definition lists."""

    _last: ClassVar[tuple[str, list[MarkdownElement]]] = ("", [])

    def parse_again(self, source: SourceText) -> list[MarkdownElement]:
        """The result of the last `parse` of this very text; parses again if another text came between.

        A document is held against its chunks right after it was cut, and parsing is a third of that.
        """
        text, elements = self._last
        return elements if text is source.text else self.parse(source)

    def parse(self, source: SourceText) -> list[MarkdownElement]:
        """The blocks of a document in order; every line that is not blank belongs to one of them."""
        front = front_matter_lines(source)
        # The same number of lines, so that no line number shifts.
        body = "\n" * front + source.text[source.offset(front) :]
        elements = _nest(_block_parser().parse(body), source)
        elements = _with_gaps(elements, source, front, source.line_count)
        if front:
            elements.insert(0, MarkdownElement(ElementType.FRONT_MATTER, source, 0, front))
        MarkdownParser._last = (source.text, elements)
        return elements


@cache
def _block_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).enable("table")
    return parser.disable(["inline", "text_join"])


def _nest(tokens: list[Token], source: SourceText) -> list[MarkdownElement]:
    """The flat stream of opening and closing tokens as a tree."""
    roots: list[MarkdownElement] = []
    open_elements: list[MarkdownElement] = []
    for index, token in enumerate(tokens):
        if token.type in _CONTAINERS or token.type in _BLOCKS:
            element = _element(tokens, index, source)
            (open_elements[-1].children if open_elements else roots).append(element)
            if token.type in _CONTAINERS:
                open_elements.append(element)
        elif token.nesting < 0 and token.type.removesuffix("close") + "open" in _CONTAINERS:
            closed = open_elements.pop()
            closed.children = _with_gaps(closed.children, source, closed.line_start, closed.line_end)
    return roots


def _element(tokens: list[Token], index: int, source: SourceText) -> MarkdownElement:
    token = tokens[index]
    first, behind = token.map or (0, 0)
    behind = min(behind, source.line_count)
    while behind > first + 1 and source.is_blank(behind - 1):
        behind -= 1
    element = MarkdownElement(_CONTAINERS.get(token.type) or _BLOCKS[token.type], source, first, behind)
    if token.type == "heading_open":
        element.level = int(token.tag[1])
        element.metadata["text"] = bounded_label(heading_text(tokens[index + 1].content))
    elif token.type == "fence":
        element.metadata = _fence_metadata(token, source, first, behind)
    elif token.type == "paragraph_open":
        element.type = paragraph_type(tokens[index + 1].content)
    elif token.type == "list_item_open":
        element.metadata = task_metadata(source.lines(first, first + 1))
    return element


def _fence_metadata(token: Token, source: SourceText, first: int, behind: int) -> dict[str, str]:
    info = token.info.split()
    last = source.lines(behind - 1, behind).strip(" \t\r\n>")
    closed = behind - first > 1 and len(last) >= len(token.markup) and not last.strip(token.markup[0])
    return {
        "language": info[0].strip("{}.")[:_LONGEST_LANGUAGE] if info else "",
        "fence": token.markup,
        "closed": "yes" if closed else "",
    }


def _with_gaps(
    elements: list[MarkdownElement], source: SourceText, first: int, behind: int
) -> list[MarkdownElement]:
    """The elements and, for lines that no token stands for (link definitions), one more each."""
    filled: list[MarkdownElement] = []
    line = first
    for element in [*elements, None]:
        upto = element.line_start if element else behind
        filled += _gap(source, line, upto)
        if element:
            filled.append(element)
            line = max(line, element.line_end)
    return filled


def _gap(source: SourceText, first: int, behind: int) -> list[MarkdownElement]:
    while first < behind and source.is_blank(first):
        first += 1
    while behind > first and source.is_blank(behind - 1):
        behind -= 1
    if first >= behind:
        return []
    return [MarkdownElement(ElementType.LINK_DEFINITION, source, first, behind)]

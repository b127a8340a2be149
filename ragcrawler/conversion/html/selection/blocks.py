"""The page as a list of text blocks, in reading order."""

import re
from dataclasses import dataclass

from lxml import html

from ragcrawler.conversion.html.tables import is_data_table
from ragcrawler.conversion.html.tags import ATOMS, BLOCKS, INVISIBLE

# Chinese and Japanese are written without blanks: with a run of letters for a word, a page of prose had fewer
# words than the names of commands in it.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
UNSPACED = re.compile(f"[{_UNSPACED}]")
_WORD = re.compile(rf"{UNSPACED.pattern}|[^\W{_UNSPACED}]+")
_SPACED_WORD = re.compile(r"\w+")


@dataclass(slots=True)
class Block:
    """The text that belongs to one element and to no block inside it.

    Attributes:
        element: its element; a heading, code block or data table holds all of its text.
        path: the element and those around it up to the body, innermost first.
        words: as `words_of` has them.
        link_words: how many of them are link text.
    """

    element: html.HtmlElement
    path: tuple[html.HtmlElement, ...]
    words: list[str]
    link_words: int


def list_blocks(body: html.HtmlElement) -> list[Block]:
    """Every block of the body that has words, and code of signs alone."""
    blocks: list[Block] = []
    _collect(body, (), blocks)
    return [block for block in blocks if block.words or block.element.tag == "pre"]


def is_atom(element: html.HtmlElement) -> bool:
    """Whether an element is kept or dropped whole."""
    tag = element.tag
    return tag in ATOMS or (tag == "table" and is_data_table(element))


def _collect(element: html.HtmlElement, around: tuple[html.HtmlElement, ...], blocks: list[Block]) -> None:
    path = (element, *around)
    if is_atom(element):
        words = words_of(" ".join(element.itertext()))
        links = sum(len(words_of(anchor.text_content())) for anchor in element.iter("a"))
        blocks.append(Block(element, path, words, links))
        return
    block = Block(element, path, [], 0)
    blocks.append(block)
    parts: list[str] = []
    linked: list[str] = []
    _collect_inline(element, path, blocks, Run(parts, linked), element.tag == "a")
    block.words = words_of(" ".join(parts))
    block.link_words = len(words_of(" ".join(linked))) if linked else 0


def _collect_inline(
    element: html.HtmlElement,
    path: tuple[html.HtmlElement, ...],
    blocks: list[Block],
    run: "Run",
    is_linked: bool,
) -> None:
    run.add(element.text, is_linked)
    for child in element:
        tag = child.tag
        if tag in BLOCKS:
            _collect(child, path, blocks)
        elif tag in INVISIBLE:
            pass
        elif len(child):
            _collect_inline(child, (child, *path), blocks, run, is_linked or tag == "a")
        else:
            run.add(child.text, is_linked or tag == "a")
        if tail := child.tail:
            run.add(tail, is_linked)


@dataclass(slots=True)
class Run:
    """The text of a block as it is collected, and the part of it that is linked."""

    parts: list[str]
    linked: list[str]

    def add(self, text: str | None, is_linked: bool) -> None:
        """Append a text, if there is one."""
        if text:
            self.parts.append(text)
            if is_linked:
                self.linked.append(text)


def words_of(text: str) -> list[str]:
    """The words of a text in lower case; of Chinese and Japanese the characters."""
    return (_SPACED_WORD if text.isascii() else _WORD).findall(text.lower())

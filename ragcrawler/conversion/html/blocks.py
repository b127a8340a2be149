"""The page as a list of text blocks, in reading order."""

import re
from dataclasses import dataclass

from lxml import html

from ragcrawler.conversion.html.tables import is_data_table
from ragcrawler.conversion.html.tags import ATOMS, BLOCKS, INVISIBLE

_WORD = re.compile(r"\w+")


@dataclass(slots=True)
class Block:
    """The text that belongs to one element and to no block inside it.

    Attributes:
        element: its element; a heading, code block or data table holds all of its text.
        words: lower-case words.
        link_words: how many of them are link text.
    """

    element: html.HtmlElement
    words: list[str]
    link_words: int


def list_blocks(body: html.HtmlElement) -> list[Block]:
    """Every block of the body that has words, and code of signs alone."""
    blocks: list[Block] = []
    _collect(body, blocks)
    return [block for block in blocks if block.words or block.element.tag == "pre"]


def is_atom(element: html.HtmlElement) -> bool:
    """Whether an element is kept or dropped whole."""
    return element.tag in ATOMS or (element.tag == "table" and is_data_table(element))


def _collect(element: html.HtmlElement, blocks: list[Block]) -> None:
    if is_atom(element):
        words = _words(" ".join(element.itertext()))
        links = sum(len(_words(anchor.text_content())) for anchor in element.iter("a"))
        blocks.append(Block(element, words, links))
        return
    block = Block(element, [], 0)
    blocks.append(block)
    parts: list[str] = []
    linked: list[str] = []
    _collect_inline(element, blocks, parts, linked if element.tag == "a" else None, linked)
    block.words = _words(" ".join(parts))
    block.link_words = len(_words(" ".join(linked)))


def _collect_inline(
    element: html.HtmlElement,
    blocks: list[Block],
    parts: list[str],
    inside_link: list[str] | None,
    linked: list[str],
) -> None:
    if element.text:
        parts.append(element.text)
        if inside_link is not None:
            inside_link.append(element.text)
    for child in element:
        if child.tag in BLOCKS:
            _collect(child, blocks)
        elif child.tag not in INVISIBLE:
            _collect_inline(child, blocks, parts, linked if child.tag == "a" else inside_link, linked)
        if child.tail:
            parts.append(child.tail)
            if inside_link is not None:
                inside_link.append(child.tail)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())

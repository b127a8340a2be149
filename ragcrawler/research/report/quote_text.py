"""A quote as a browser shows it, and a link that leads to it."""

import re
from collections.abc import Iterator
from functools import cache
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ragcrawler.research.evidence.facts import PageQuote

# A text fragment names the beginning and the end of a longer passage.
_WHOLE_WORDS = 12
_END_WORDS = 5
_CELL_BORDER = re.compile(r"(?<!\\)\|")
_DEFINITION = re.compile(r"\n:\s+")


def shown_quote(cited: PageQuote) -> str:
    """The words of a quote on one line, without the marks of Markdown."""
    return " ".join(_blocks(cited.text))


def link_to(cited: PageQuote) -> str:
    """The page's URL with a text fragment: a browser scrolls to the quote and marks it.

    See https://wicg.github.io/scroll-to-text-fragment/
    """
    blocks = [block.split() for block in _blocks(cited.text)]
    if not blocks:
        return cited.url
    first, last = blocks[0], blocks[-1]
    # A name of a passage ends at the border of a block: a cell, an item.
    is_whole = len(blocks) == 1 and len(first) <= _WHOLE_WORDS
    parts = [first] if is_whole else [first[:_END_WORDS], last[-_END_WORDS:]]
    # Comma, ampersand and dash mean something in a fragment.
    encoded = ",".join(quote(" ".join(part), safe="").replace("-", "%2D") for part in parts)
    base, mark, fragment = cited.url.partition("#")
    return f"{base}#{fragment if mark else ''}:~:text={encoded}"


def _blocks(markdown: str) -> list[str]:
    """The text of each paragraph, item or cell, white space as single blanks."""
    pieces = _CELL_BORDER.split(markdown) if markdown.lstrip().startswith("|") else [markdown]
    texts = (text for piece in pieces for token in _parser().parse(piece) for text in _texts(token))
    return [bare for text in texts if (bare := " ".join(text.split()))]


def _texts(token: Token) -> Iterator[str]:
    if token.type in {"fence", "code_block"}:
        yield token.content
    elif token.type == "inline":
        # The alternative text of an image is not shown.
        shown = (each for each in token.children or () if each.type != "image")
        text = "".join("\n" if each.type.endswith("break") else _visible(each) for each in shown)
        yield from _DEFINITION.split(text)


def _visible(token: Token) -> str:
    return token.content if token.type in {"text", "text_special", "code_inline"} else ""


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark")

"""The part of a hit that its line in the results shows."""

import textwrap
from collections.abc import Collection, Iterator

from markdown_it.token import Token
from markupsafe import Markup

from ragcrawler.retrieval.formatting.hit_lines import best_window
from ragcrawler.retrieval.formatting.markdown_tokens import excerpt_tokens
from ragcrawler.server.pages.markdown import markdown_tokens, marked
from ragcrawler.server.services.results import HitResult

_LINE_CHARACTERS = 80
_LINES = 4
_CODE_LINES = 6
_MOST_LINES = 400
_READ_CHARACTERS = 8_000
_BREAKS = {"softbreak", "hardbreak"}
_TEXTS = {"text", "code_inline", "image"}


def excerpt(hit: HitResult, query: str, wanted: Collection[str]) -> Markup:
    """The lines of a hit with most of the question's words, marked; of code, lines as they stand."""
    is_code = hit.chunk.chunk_type == "code"
    headings = {hit.title, *hit.section_path}
    tokens = excerpt_tokens(markdown_tokens(hit.text[:_READ_CHARACTERS]), headings)
    blocks = list(_blocks(tokens, headings))
    if is_code:
        lines = [line for block in blocks for line in block.splitlines() if line.strip()]
    else:
        lines = textwrap.wrap(" ".join(blocks), _LINE_CHARACTERS, break_on_hyphens=False)
    lines = lines[:_MOST_LINES]
    window = best_window(lines, query, _CODE_LINES if is_code else _LINES)
    shown = [marked(lines[number], wanted) for number in window]
    before = Markup("… ") if window.start > 0 else Markup("")
    after = Markup(" …") if window.stop < len(lines) else Markup("")
    if is_code:
        return Markup('<pre tabindex="0"><code>{}</code></pre>').format(Markup("\n").join(shown))
    return Markup("<p>{}{}{}</p>").format(before, Markup(" ").join(shown), after)


def _blocks(tokens: list[Token], headings: Collection[str]) -> Iterator[str]:
    """The text of each block, without headings that are shown above it."""
    for number, token in enumerate(tokens):
        if token.type in {"fence", "code_block"}:
            yield token.content
        elif token.type == "inline":
            text = "".join(_texts(token.children or []))
            is_heading = number > 0 and tokens[number - 1].type == "heading_open"
            if text and not (is_heading and text in headings):
                yield text


def _texts(children: list[Token]) -> Iterator[str]:
    for child in children:
        if child.type in _TEXTS:
            yield child.content
        elif child.type in _BREAKS:
            yield " "

"""Markdown for an excerpt: without headings that stand above it, link targets and footnote marks."""

import re
from collections.abc import Collection, Iterator, Sequence

from markdown_it.token import Token

_FOOTNOTE_MARK = re.compile(r"\[\^[^\[\]\s]{1,40}\](?::\s*)?")
_MARK_AS_LINK = re.compile(r"\^\S{1,40}\Z")
_HEADING_TOKENS = 3  # opened, text, closed


def excerpt_tokens(tokens: Sequence[Token], headings: Collection[str]) -> list[Token]:
    """The tokens of a text as an excerpt shows them; code is left as it is.

    Args:
        tokens: of a whole text; those of its links are taken out in place.
        headings: that are shown above it: where the text begins with one of them, it is not shown again.
    """
    for token in tokens:
        if token.type == "inline":
            token.children = list(_labels(token.children or []))
    return _without_first(tokens, {_fold(heading) for heading in headings})


def _without_first(tokens: Sequence[Token], headings: Collection[str]) -> list[Token]:
    start = 0
    while start + _HEADING_TOKENS < len(tokens) and tokens[start].type == "heading_open":
        children = tokens[start + 1].children or []
        if _fold("".join(child.content for child in children)) not in headings:
            break
        start += _HEADING_TOKENS
    return list(tokens[start:])


def _labels(children: Sequence[Token]) -> Iterator[Token]:
    """The label of a link without its target; empty for a footnote's mark."""
    for index, child in enumerate(children):
        is_in_link = index > 0 and children[index - 1].type == "link_open"
        if child.type in {"link_open", "link_close"} or (is_in_link and _MARK_AS_LINK.match(child.content)):
            continue
        if child.type == "text":
            child.content = _FOOTNOTE_MARK.sub("", child.content)
        yield child


def _fold(heading: str) -> str:
    return "".join(filter(str.isalnum, heading)).casefold()

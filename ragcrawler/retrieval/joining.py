"""Neighbouring chunks as one text: what was cut comes together again."""

import re
from collections.abc import Sequence
from itertools import pairwise

from ragcrawler.items import SemanticChunk
from ragcrawler.retrieval.short_links import numbered_links, short_links

_RULE = re.compile(r"[|:\- ]+")
_FENCE = re.compile(r"`{3,}|~{3,}")


def readable_text(
    chunks: Sequence[SemanticChunk], *, number_links: bool
) -> tuple[str, tuple[str, ...] | None]:
    """The joined contents without addresses: in a prompt they cost room, and say little.

    Returns:
        the text; and the addresses of its links where they are numbered in it, else None.
    """
    whole = join_contents(chunks)
    return numbered_links(whole) if number_links else (short_links(whole), None)


def join_contents(chunks: Sequence[SemanticChunk]) -> str:
    """The contents in order; a paragraph, a table or code that goes on stays one, without a second head."""
    text = chunks[0].content if chunks else ""
    for before, chunk in pairwise(chunks):
        text = _continued(text, before, chunk) if chunk.is_continuation else f"{text}\n\n{chunk.content}"
    return text


def _continued(text: str, before: SemanticChunk, chunk: SemanticChunk) -> str:
    first, _, rest = chunk.content.partition("\n")
    if before.chunk_type == chunk.chunk_type == "text":
        return f"{text} {chunk.content}"
    if first not in before.content.splitlines():
        return f"{text}\n\n{chunk.content}"
    rule, _, rows = rest.partition("\n")
    if first.startswith("|") and _RULE.fullmatch(rule) and _last_line(text).startswith("|"):
        return f"{text}\n{rows}"
    fence = _FENCE.match(first)
    if fence and _last_line(text) == fence[0]:
        return f"{text.removesuffix(fence[0])}{rest}"
    return f"{text}\n\n{chunk.content}"


def _last_line(text: str) -> str:
    return text.rpartition("\n")[2]

"""Drafts with their Markdown, their place in the document and their exact size."""

from collections.abc import Iterable
from dataclasses import replace

from ragcrawler.chunking.output.rendering import render
from ragcrawler.chunking.sizing.token_map import TokenMap
from ragcrawler.chunking.sizing.tokens import TokenCounter
from ragcrawler.chunking.sizing.units import tokens_of
from ragcrawler.chunking.strategies.draft import Draft


def finish(drafts: Iterable[Draft], counts: TokenMap, tokens: TokenCounter) -> list[Draft]:
    """Each draft with content, offsets and tokens; counted anew where the words' sums are not exact."""
    finished = [_rendered(draft, counts.text) for draft in drafts]
    if counts.exact and not any(draft.in_characters for draft in finished):
        return [replace(draft, tokens=tokens_of(draft.units)) for draft in finished]
    sizes = tokens.count_batch([draft.content for draft in finished])
    return [replace(draft, tokens=size) for draft, size in zip(finished, sizes, strict=True)]


def _rendered(draft: Draft, text: str) -> Draft:
    start, end = draft.units[0].start, draft.units[-1].end
    span = text[start:end]
    return replace(
        draft,
        content=render(draft.units, text),
        start=start + len(span) - len(span.lstrip()),
        end=start + len(span.rstrip()),
    )

"""As many passages as fit into a number of words."""

import re
from collections.abc import Sequence
from dataclasses import replace

from ragcrawler.items import SemanticChunk
from ragcrawler.retrieval.joining import readable_text
from ragcrawler.retrieval.passage import Passage

_WORD = re.compile(r"\S+")
# The beginning of a passage that is shorter than this tells nothing.
_LEAST_WORDS = 25


def within_words(passages: Sequence[Passage], budget: int) -> list[Passage]:
    """The best passages with at most so many words together.

    Where one does not fit, it gives up its context, the farthest first; then its text is cut, and it is the
    last.

    Raises:
        ValueError: the budget is less than 1.
    """
    if budget < 1:
        raise ValueError(f"A budget of {budget} words holds nothing: give at least 1.")
    kept: list[Passage] = []
    for passage in passages:
        left = budget - sum(count_words(each.text) for each in kept)
        if kept and left < min(_LEAST_WORDS, count_words(passage.hits[0].content)):
            break
        kept.append(_fit(passage, left))
    return kept


def count_words(text: str) -> int:
    """Words as people count them: what stands between white space."""
    return len(text.split())


def _fit(passage: Passage, budget: int) -> Passage:
    if count_words(passage.text) <= budget:
        return passage
    best = passage.hits[0]
    chunks = _nearest(passage, best, budget)
    hits = tuple(hit for hit in passage.hits if hit in chunks)
    text, links = readable_text(chunks, number_links=passage.links is not None)
    shorter = replace(passage, chunks=tuple(chunks), hits=hits, text=text, links=links)
    if count_words(text) <= budget:
        return shorter
    end = [word.end() for word in _WORD.finditer(text)][budget - 1]
    return replace(shorter, text=text[:end], is_cut=True)


def _nearest(passage: Passage, best: SemanticChunk, budget: int) -> list[SemanticChunk]:
    """The best hit and its nearest neighbours that fit, as one run."""
    chosen = [best]
    for chunk in sorted(passage.chunks, key=lambda each: abs(each.position - best.position)):
        touches = chosen[0].position - 1 == chunk.position or chunk.position == chosen[-1].position + 1
        longer = sorted([*chosen, chunk], key=lambda each: each.position)
        if (
            touches
            and count_words(readable_text(longer, number_links=passage.links is not None)[0]) <= budget
        ):
            chosen = longer
    return chosen

"""The overlap of a chunk with its neighbours: whole sentences where they fit."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from ragcrawler.chunking.parsing.sections import Section
from ragcrawler.chunking.sizing.token_map import TokenMap
from ragcrawler.chunking.splitters.sentences import sentence_ends, weak_sentence_ends, word_ends
from ragcrawler.chunking.strategies.draft import Draft

LEAD_IN_TOKENS = 50
_MOST_CHARACTERS_A_TOKEN = 12
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n\s*")
_LINE_END = re.compile(r"\n")


class Overlap:
    """Takes the context of each chunk from the same section or below.

    A heading of the chunk's own level or a higher one is never crossed (specification 001), unless chunks are
    sections: then any context is of another one (specification 002).

    Args:
        counts: of the document.
        root: its sections.
        tokens: the most that is taken on each side.
        crosses_sections: the context may be of another section.
    """

    def __init__(
        self, counts: TokenMap, root: Section, tokens: int, *, crosses_sections: bool = False
    ) -> None:
        self._counts = counts
        self._tokens = tokens
        self._crosses_sections = crosses_sections
        sections = [section for section in root.walk() if section.heading_element]
        self._starts = [section.heading_element.start for section in sections if section.heading_element]
        self._levels = [section.level for section in sections]
        self._next = _next_not_below(self._levels)

    def lead_in(self, draft: Draft) -> str:
        """The context that a later part of a table, list or paragraph needs; "" for the first part."""
        first = draft.units[0]
        if first.lead_in is None or first.number == 1:
            return ""
        return self._tail(*first.lead_in) if first.element else self._head(*first.lead_in)

    def before(self, draft: Draft, previous: Draft) -> str:
        """The end of the chunk before, as far as it belongs to the section in which this one begins.

        A further part of a table or list has the paragraph that leads in to it instead (specification 000).
        """
        if not self._tokens:
            return ""
        if draft.units[0].element and (lead := self.lead_in(draft)):
            return lead
        section = bisect_right(self._starts, draft.start) - 1
        floor = self._starts[section] if section >= 0 and not self._crosses_sections else 0
        return self._tail(max(floor, previous.start), draft.start)

    def after(self, draft: Draft, following: Draft) -> str:
        """The beginning of the chunk after, as far as it is of the section this one ends in, or below."""
        if not self._tokens:
            return ""
        section = bisect_left(self._starts, draft.end) - 1
        ceiling = following.end
        if section >= 0 and self._next[section] < len(self._starts) and not self._crosses_sections:
            ceiling = min(ceiling, self._starts[self._next[section]])
        return self._head(draft.end, ceiling)

    def _tail(self, floor: int, start: int) -> str:
        begin = max(floor, start - self._tokens * _MOST_CHARACTERS_A_TOKEN)
        text = self._counts.text[begin:start]
        edges = [0] if begin == floor else []
        for offsets in (edges + _coarse_ends(text), word_ends(text)):
            first = bisect_left(offsets, True, key=lambda offset: self._fits(begin + offset, start))
            kept = text[offsets[first] :].strip() if first < len(offsets) else ""
            if kept:
                return kept
        return ""

    def _head(self, end: int, ceiling: int) -> str:
        behind = min(ceiling, end + self._tokens * _MOST_CHARACTERS_A_TOKEN)
        text = self._counts.text[end:behind]
        edges = [len(text)] if behind == ceiling else []
        for offsets in (_coarse_ends(text) + edges, word_ends(text)):
            over = bisect_left(offsets, True, key=lambda offset: not self._fits(end, end + offset))
            kept = text[: offsets[over - 1]].strip() if over else ""
            if kept:
                return kept
        return ""

    def _fits(self, start: int, end: int) -> bool:
        return self._counts.count_spans([(start, end)])[0] <= self._tokens


def _coarse_ends(text: str) -> list[int]:
    """Behind sentences and paragraphs; behind lines where the text is none of running sentences."""
    ends = {*sentence_ends(text), *(match.end() for match in _PARAGRAPH_END.finditer(text))}
    return sorted(ends) or weak_sentence_ends(text) or [match.end() for match in _LINE_END.finditer(text)]


def _next_not_below(levels: Sequence[int]) -> list[int]:
    """For each heading the next one of its level or a higher one; their number where there is none."""
    following = [len(levels)] * len(levels)
    open_ones: list[int] = []
    for index, level in enumerate(levels):
        while open_ones and levels[open_ones[-1]] >= level:
            following[open_ones.pop()] = index
        open_ones.append(index)
    return following

"""What the neighbours of a chunk say: whole sentences where they fit."""

import re
from collections.abc import Sequence

from ragcrawler.chunking.sentences import sentence_ends, word_ends
from ragcrawler.chunking.token_map import TokenMap

_MOST_CHARACTERS_A_TOKEN = 12
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n\s*")
_LINE_END = re.compile(r"\n")


class Overlap:
    """Cuts the ends and beginnings of spans of the document.

    Args:
        counts: of the document.
        tokens: the most that is taken.
        headings: offset and level of each heading, in order.
    """

    def __init__(self, counts: TokenMap, tokens: int, headings: Sequence[tuple[int, int]]) -> None:
        self._counts = counts
        self._tokens = tokens
        self._headings = headings

    def before(self, start: int, floor: int) -> str:
        """The end of what stands between `floor` and `start`."""
        floor = max(floor, start - self._tokens * _MOST_CHARACTERS_A_TOKEN)
        text = self._counts.text[floor:start]
        for ends in (_coarse_ends(text), word_ends(text)):
            for offset in (0, *ends) if self._is_edge(floor) else ends:
                if text[offset:].strip() and self._counts.count(floor + offset, start) <= self._tokens:
                    return text[offset:].strip()
        return ""

    def after(self, end: int, ceiling: int) -> str:
        """The beginning of what stands between `end` and `ceiling`."""
        ceiling = min(ceiling, end + self._tokens * _MOST_CHARACTERS_A_TOKEN)
        text = self._counts.text[end:ceiling]
        for ends in (_coarse_ends(text), word_ends(text)):
            for offset in reversed((*ends, len(text)) if self._is_edge(ceiling) else ends):
                if text[:offset].strip() and self._counts.count(end, end + offset) <= self._tokens:
                    return text[:offset].strip()
        return ""

    def _is_edge(self, offset: int) -> bool:
        """Whether a window that begins or ends here cuts no word."""
        text = self._counts.text
        return offset in (0, len(text)) or text[offset - 1].isspace() or text[offset].isspace()


def _coarse_ends(text: str) -> list[int]:
    """Behind sentences and paragraphs; behind lines where the text is none of running sentences."""
    ends = {*sentence_ends(text), *(match.end() for match in _PARAGRAPH_END.finditer(text))}
    return sorted(ends or {match.end() for match in _LINE_END.finditer(text)})

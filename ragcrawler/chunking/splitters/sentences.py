"""Where running text may be cut: sentences, clauses, words."""

import re
from collections.abc import Iterable

_CLOSERS = "\"'”’)\\]*_`"
_OPENERS = "\"'“‘(\\[*_`"
_STRONG_END = re.compile(rf"[.!?][{_CLOSERS}]*\s+(?=[{_OPENERS}]*[A-Z0-9])")
_WEAK_END = re.compile(
    r"(?<![^\w\s])(?=[^\w\s.!?…]*[.!?…])[^\w\s]+\s+"
    r"|[。！？｡．]+[」』”’）]*\s*|[؟۔।॥]\s*|(?:  |\\|<br ?/?>)\r?\n|:\s+(?=[-*•])"
)
_CLAUSE_END = re.compile(r"[,;:–—)\]][\"'”’*_`]*\s+|\s(?=[(\[–—])|[，；：、）]\s*|[،؛]\s*|\r?\n")
_WORD_END = re.compile(r"\s+")
# A name, a number or a shortened word before a full stop seldom ends a sentence.
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[\"'“‘*_`/.-])(?:e\.g|i\.e|etc|vs|cf|al|ca|Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|No|Nos|Fig|Figs|Eq|Eqs|Sec|Ch"
    r"|Vol|pp|p|ed|eds|approx|resp|incl|est|Inc|Ltd|Co|Corp|z\.B|d\.h|bzw|usw|\w)\.$"
)
_WHOLE = re.compile(
    r"!?\[(?:[^\[\]\n]|\[[^\[\]\n]*\](?:\([^()\s]*\))?)*\](?:\([^()\s]*(?:\s+\"[^\"\n]*\")?\)|\[[^\[\]\n]*\])"
    r"|`[^`\n]+`|<[^<>\s]+>"
)


def whole_spans(text: str) -> list[tuple[int, int]]:
    """Links, pictures, inline code and tags: a cut inside them breaks them."""
    return [match.span() for match in _WHOLE.finditer(text)]


def sentence_ends(text: str) -> list[int]:
    """Offsets behind the white space that follows a sentence; only where a new sentence surely begins."""
    return [
        match.end()
        for match in _STRONG_END.finditer(text)
        if not _ABBREVIATION.search(text, max(0, match.start() - 12), match.start() + 1)
    ]


def weak_sentence_ends(text: str) -> list[int]:
    """Offsets behind what ends a sentence in any script, abbreviations included; hard line breaks."""
    return [match.end() for match in _WEAK_END.finditer(text)]


def clause_ends(text: str) -> list[int]:
    """Offsets behind commas, colons, brackets and line ends."""
    return [match.end() for match in _CLAUSE_END.finditer(text)]


def word_ends(text: str) -> list[int]:
    """Offsets behind white space."""
    return [match.end() for match in _WORD_END.finditer(text)]


def outside(offsets: Iterable[int], spans: list[tuple[int, int]]) -> list[int]:
    """The offsets that lie in none of the spans; both in ascending order."""
    kept = []
    index = 0
    for offset in offsets:
        while index < len(spans) and spans[index][1] <= offset:
            index += 1
        if index == len(spans) or offset <= spans[index][0]:
            kept.append(offset)
    return kept

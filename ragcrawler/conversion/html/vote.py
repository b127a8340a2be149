"""The extractor's verdict: which text of the page it takes for content."""

import re
from dataclasses import dataclass

from lxml import html

_WORD = re.compile(r"\w+")
_GRAM = 3


@dataclass(frozen=True, slots=True)
class Vote:
    """The text an extractor kept, ready to be asked how much of a block is in it.

    Attributes:
        words: how many words it kept.
    """

    words: int
    _grams: frozenset[tuple[str, ...]]
    _text: str

    def share_of(self, words: list[str]) -> float:
        """The share (0 to 1) of a block's word triples that the extractor kept."""
        if len(words) < _GRAM:
            return float(f" {' '.join(words)} " in self._text)
        grams = list(zip(words, words[1:], words[2:], strict=False))
        return sum(gram in self._grams for gram in grams) / len(grams)

    def times(self, text: str) -> int:
        """How often the extractor kept a text (lower-case words, one space between)."""
        return self._text.count(f" {text} ")


def ask_extractor(root: html.HtmlElement) -> Vote:
    """Let trafilatura judge the page. It works on its own copy of the tree."""
    from trafilatura.core import bare_extraction

    found = bare_extraction(root, include_comments=True, include_tables=True)
    texts = []
    if found is not None:
        texts = [
            part for tree in (found.body, found.commentsbody) if tree is not None for part in tree.itertext()
        ]
    words = _WORD.findall(" ".join(texts).lower())
    grams = frozenset(zip(words, words[1:], words[2:], strict=False))
    return Vote(len(words), grams, f" {' '.join(words)} ")

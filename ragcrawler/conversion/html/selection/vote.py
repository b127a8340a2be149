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
        grams = zip(words, words[1:], words[2:], strict=False)
        return sum(map(self._grams.__contains__, grams)) / (len(words) - _GRAM + 1)


def ask_extractor(root: html.HtmlElement) -> Vote:
    """Let trafilatura judge the page. It works on its own copy of the tree.

    Raises:
        ExtractorError: it failed on this page; whatever it raises, the page is not lost by it.
    """
    from trafilatura.core import bare_extraction

    from ragcrawler.conversion.html.selection.stop_words import hash_stop_words_once

    try:
        # Any format but its default one: with that it would write the text once more, which nobody reads.
        found = bare_extraction(root, output_format="xml", include_comments=False, include_tables=True)
    except Exception as error:
        raise ExtractorError(f"the extractor failed: {type(error).__name__}: {error}") from error
    hash_stop_words_once()
    tree = getattr(found, "body", None)
    return vote_of(" ".join(map(str, tree.itertext())) if tree is not None else "")


def vote_of(text: str) -> Vote:
    """The verdict that a text is what to keep."""
    words = _WORD.findall(text.lower())
    grams = frozenset(zip(words, words[1:], words[2:], strict=False))
    return Vote(len(words), grams, f" {' '.join(words)} ")


class ExtractorError(Exception):
    """The extractor gave no verdict."""

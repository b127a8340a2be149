"""The text of a page that trafilatura takes for content."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lxml import html

from ragcrawler.conversion.html.selection.blocks import UNSPACED, words_of

_GRAM = 3
_UNSPACED_GRAM = 6  # a word of Chinese or Japanese has about two characters


@dataclass(frozen=True, slots=True)
class Vote:
    """The text an extractor kept, ready to be asked how much of a block is in it.

    Attributes:
        words: how many words it kept.
    """

    words: int
    _grams: Mapping[int, frozenset[int]]
    _text: str

    def share_of(self, words: list[str]) -> float:
        """The share (0 to 1) of a block's word triples that the extractor kept."""
        text = " ".join(words)
        size = _UNSPACED_GRAM if 2 * _unspaced(text) > len(words) else _GRAM
        if len(words) < size:
            return float(f" {text} " in self._text)
        known = self._grams.get(size, frozenset())
        return sum(map(known.__contains__, _grams(words, size))) / (len(words) - size + 1)


def _unspaced(text: str) -> int:
    return 0 if text.isascii() else len(UNSPACED.findall(text))


def _grams(words: list[str], size: int) -> Iterator[int]:
    return map(hash, zip(*(words[start:] for start in range(size)), strict=False))


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
    words = words_of(text)
    sizes = (_GRAM, _UNSPACED_GRAM) if _unspaced(text) else (_GRAM,)
    grams = {size: frozenset(_grams(words, size)) for size in sizes}
    return Vote(len(words), grams, f" {' '.join(words)} ")


class ExtractorError(Exception):
    """The extractor gave no verdict."""

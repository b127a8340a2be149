"""Token counts for every part of a document after one pass of the tokenizer."""

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate

from ragcrawler.chunking.sizing.tokens import TokenCounter, is_additive

# What has more, encoded data say, weighs by its characters: a chunk of 512 tokens has fewer than 8,000.
MOST_CHARACTERS_A_TOKEN = 15
_WORD = re.compile(r"\S+")
_SPACED_WORD = re.compile(r"\s*\S+")


class TokenMap:
    """Sums of the words' tokens.

    Tokenizers cut text at white space before they do anything else, so each different word of a document is
    tokenised once, however often it occurs. Where the counter says that it is additive, the sums are exact;
    else they are close, and whoever needs the exact count asks the counter for the finished text.

    Attributes:
        text: the document.
        exact: whether every count given so far adds up; false after a cut inside a word, or where characters
            counted for more than tokens.
    """

    def __init__(self, text: str, tokens: TokenCounter) -> None:
        self.text = text
        self.exact = is_additive(tokens)
        self._tokens = tokens
        self.count_text: Callable[[str], int] = lru_cache(maxsize=256)(self._count_text)
        matches = list((_WORD if self.exact else _SPACED_WORD).finditer(text))
        words = [match[0] for match in matches]
        different = list(dict.fromkeys(words))
        counts = dict(zip(different, tokens.count_batch(different), strict=True))
        self._ends = [match.end() for match in matches]
        self._sums = [0, *accumulate(counts[word] for word in words)]

    def count(self, start: int, end: int) -> int:
        """Tokens of `text[start:end]`; neither may lie inside a word."""
        ends = self._ends
        tokens = self._sums[bisect_right(ends, end)] - self._sums[bisect_right(ends, start)]
        return tokens if end - start <= MOST_CHARACTERS_A_TOKEN * tokens else self._weigh(start, end, tokens)

    def count_spans(self, spans: list[tuple[int, int]]) -> list[int]:
        """Tokens of each span; those that begin or end inside a word are tokenised anew."""
        torn = [span for span in spans if self._is_inside_word(span[0]) or self._is_inside_word(span[1])]
        if not torn:
            return [self.count(start, end) for start, end in spans]
        self.exact = False
        counts = self._tokens.count_batch([self.text[a:b] for a, b in torn])
        anew = {span: self._weigh(*span, tokens) for span, tokens in zip(torn, counts, strict=True)}
        return [anew[span] if span in anew else self.count(*span) for span in spans]

    def _weigh(self, start: int, end: int, tokens: int) -> int:
        """The tokens, or the weight of the characters where that is more; white space at the end is free."""
        if (end - start) // MOST_CHARACTERS_A_TOKEN <= tokens:
            return tokens
        weight = _weight(self.text[start:end])
        if weight > tokens:
            self.exact = False
        return max(weight, tokens)

    def _count_text(self, text: str) -> int:
        tokens, weight = self._tokens.count(text), _weight(text)
        if weight > tokens:
            self.exact = False
        return max(weight, tokens)

    def _is_inside_word(self, offset: int) -> bool:
        if not 0 < offset < len(self.text):
            return False
        return not (self.text[offset - 1].isspace() or self.text[offset].isspace())


def _weight(text: str) -> int:
    return len(text.rstrip()) // MOST_CHARACTERS_A_TOKEN


class CharacterMap(TokenMap):
    """Characters in the place of tokens, for sizes that are given in characters."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.exact = True
        self.count_text = len

    def count(self, start: int, end: int) -> int:
        """Characters of the span, white space at its ends included."""
        return end - start

    def count_spans(self, spans: list[tuple[int, int]]) -> list[int]:
        """Characters of each span."""
        return [end - start for start, end in spans]

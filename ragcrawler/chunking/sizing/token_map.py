"""Token counts for every part of a document after one pass of the tokenizer."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate

from ragcrawler.chunking.parsing.hidden_text import hidden_spans, visible, without_spans
from ragcrawler.chunking.sizing.tokens import TokenCounter, is_additive

# What has more, encoded data say, weighs by its characters: a chunk of 512 tokens has fewer than 8,000 that
# are read, and with addresses fewer than 31,000 that are stored.
MOST_CHARACTERS_A_TOKEN = 15
MOST_STORED_CHARACTERS_A_TOKEN = 60
_WORD = re.compile(r"\S+")
_SPACED_WORD = re.compile(r"\s*\S+")


def count_visible(tokens: TokenCounter, texts: Sequence[str]) -> list[int]:
    """Tokens of what readers see of each Markdown text: links and pictures count by their labels."""
    return tokens.count_batch([visible(text) for text in texts])


class TokenMap:
    """Sums of the words' tokens, without where links and pictures lead.

    Tokenizers cut text at white space before they do anything else, so each different word of a document is
    tokenised once, however often it occurs. Where the counter says that it is additive, the sums are exact;
    else they are close, and whoever needs the exact count asks the counter for the finished text.

    Attributes:
        text: the document.
        exact: whether every count given so far adds up; false after a cut inside a word, where characters
            counted for more than tokens, and where parts of the text are hidden: a part may show them.
    """

    def __init__(self, text: str, tokens: TokenCounter) -> None:
        self.text = text
        self._hidden = hidden_spans(text)
        self._hidden_ends = [end for _, end in self._hidden]
        self._hidden_sums = [0, *accumulate(end - start for start, end in self._hidden)]
        additive = is_additive(tokens)
        self.exact = additive and not self._hidden
        self._tokens = tokens
        self.count_text: Callable[[str], int] = lru_cache(maxsize=256)(self._count_text)
        spans = [match.span() for match in (_WORD if additive else _SPACED_WORD).finditer(text)]
        words = [self._visible(*span) for span in spans]
        different = list(dict.fromkeys(words))
        counts = dict(zip(different, tokens.count_batch(different), strict=True))
        self._ends = [end for _, end in spans]
        self._sums = [0, *accumulate(counts[word] for word in words)]

    def count(self, start: int, end: int) -> int:
        """Tokens of `text[start:end]`; neither may lie inside a word."""
        ends = self._ends
        tokens = self._sums[bisect_right(ends, end)] - self._sums[bisect_right(ends, start)]
        return (
            tokens if end - start <= MOST_CHARACTERS_A_TOKEN * tokens else self._at_least(start, end, tokens)
        )

    def count_spans(self, spans: list[tuple[int, int]]) -> list[int]:
        """Tokens of each span; those that begin or end inside a word are tokenised anew."""
        torn = [span for span in spans if self._is_inside_word(span[0]) or self._is_inside_word(span[1])]
        if not torn:
            return [self.count(start, end) for start, end in spans]
        self.exact = False
        counts = self._tokens.count_batch([self._visible(*span) for span in torn])
        anew = {span: self._at_least(*span, tokens) for span, tokens in zip(torn, counts, strict=True)}
        return [anew[span] if span in anew else self.count(*span) for span in spans]

    def _visible(self, start: int, end: int) -> str:
        first = bisect_right(self._hidden_ends, start)
        behind = bisect_left(self._hidden, (end,), lo=first)
        inside = [(max(a, start) - start, min(b, end) - start) for a, b in self._hidden[first:behind]]
        return without_spans(self.text[start:end], inside)

    def weigh(self, start: int, end: int) -> int:
        """The least tokens that the characters of `text[start:end]` count as."""
        stored = (end - start) // MOST_STORED_CHARACTERS_A_TOKEN
        shown = end - start
        if self._hidden:
            shown -= self._hidden_before(end) - self._hidden_before(start)
        return max(stored, shown // MOST_CHARACTERS_A_TOKEN)

    def _hidden_before(self, offset: int) -> int:
        index = bisect_right(self._hidden_ends, offset)
        inside = 0
        if index < len(self._hidden):
            inside = max(0, offset - self._hidden[index][0])
        return self._hidden_sums[index] + inside

    def _at_least(self, start: int, end: int, tokens: int) -> int:
        """The tokens, or the weight of the characters where that is more; white space at the end is free."""
        if self.weigh(start, end) <= tokens:
            return tokens
        weight = max(_weight(self._visible(start, end)), _stored_weight(self.text[start:end]))
        if weight > tokens:
            self.exact = False
        return max(weight, tokens)

    def _count_text(self, text: str) -> int:
        shown = visible(text)
        tokens, weight = self._tokens.count(shown), max(_weight(shown), _stored_weight(text))
        if weight > tokens:
            self.exact = False
        return max(weight, tokens)

    def _is_inside_word(self, offset: int) -> bool:
        if not 0 < offset < len(self.text):
            return False
        return not (self.text[offset - 1].isspace() or self.text[offset].isspace())


def _weight(text: str) -> int:
    return len(text.rstrip()) // MOST_CHARACTERS_A_TOKEN


def _stored_weight(text: str) -> int:
    return len(text.rstrip()) // MOST_STORED_CHARACTERS_A_TOKEN


class CharacterMap(TokenMap):
    """Characters in the place of tokens, for sizes that are given in characters."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.exact = True
        self.count_text = len

    def count(self, start: int, end: int) -> int:
        """Characters of the span, white space at its ends included."""
        return end - start

    def weigh(self, start: int, end: int) -> int:  # noqa: ARG002 - the base's signature
        """Nothing: sizes in characters need no other bound."""
        return 0

    def count_spans(self, spans: list[tuple[int, int]]) -> list[int]:
        """Characters of each span."""
        return [end - start for start, end in spans]

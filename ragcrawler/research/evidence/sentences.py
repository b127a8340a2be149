"""The sentences of a page, numbered, with their places in its Markdown.

A language model is shown them with their numbers and gives numbers back. The quote is our text at that place,
so that no quote can be wrong.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from ragcrawler.chunking.splitters.sentences import outside, sentence_ends, whole_spans, word_ends

MAX_CHARACTERS = 2_000

# Lines that stand for themselves: cells of tables, items, headings, quotes, code.
_LINE_BLOCK = re.compile(r"\s{0,3}(?:\||[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|>|```|~~~)|\s{4,}|\t")
_SAYS_SOMETHING = re.compile(r"\w")
_RULE_OF_TABLE = re.compile(r"[\s|:-]+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, a row of a table, an item of a list or a line of code.

    Attributes:
        number: from 1, in the order of the page.
        start: offset of its first character in the page's Markdown.
        end: offset behind its last one.
    """

    number: int
    start: int
    end: int

    def text(self, markdown: str) -> str:
        """The words at its place."""
        return markdown[self.start : self.end]


def number_sentences(markdown: str, spans: Sequence[tuple[int, int]], first: int = 1) -> list[Sentence]:
    """The sentences within some spans of a page, half-open offsets in ascending order.

    Args:
        markdown: of the page.
        spans: of its chunks; where two overlap, the second counts from the end of the first.
        first: number of the first sentence.
    """
    found: list[Sentence] = []
    reached = 0
    for start, end in spans:
        for left, right in _places(markdown, max(start, reached), end):
            found.append(Sentence(first + len(found), left, right))
        reached = max(reached, end)
    return found


def _places(markdown: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    offset = start
    for is_blank, lines in groupby(
        markdown[start:end].splitlines(keepends=True), lambda line: not line.strip()
    ):
        block = "".join(lines)
        if not is_blank:
            for left, right in _pieces(block, _cuts(block)):
                if _SAYS_SOMETHING.search(block, left, right):
                    yield offset + left, offset + right
        offset += len(block)


def _cuts(block: str) -> list[int]:
    if _LINE_BLOCK.match(block):
        return list(accumulate(map(len, block.splitlines(keepends=True))))
    return outside(sentence_ends(block), whole_spans(block))


def _pieces(text: str, cuts: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Spans without the white space around them, none longer than `MAX_CHARACTERS`."""
    start = 0
    for end in (*cuts, len(text)):
        yield from _bounded(text, start, end)
        start = end


def _bounded(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > MAX_CHARACTERS:
        ends = word_ends(text[start : start + MAX_CHARACTERS])
        cut = start + (ends[-1] if ends else MAX_CHARACTERS)
        yield from _stripped(text, start, cut)
        start = cut
    yield from _stripped(text, start, end)


def _stripped(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip())
    right = start + len(piece.rstrip())
    if left < right and not _RULE_OF_TABLE.fullmatch(text, left, right):
        yield left, right

"""Score the documents of candidate chunks by the words of the question that they contain."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Protocol

from ragcrawler.items import SparseVector

# In BM25 weights of chunks, each under 1: what a document of no length needs of a word to count for half, and
# how much more for each of its chunks. Between 0.1 and 0.1 and 1 and 0.1 the rankings hardly change.
_HALF = 0.2
_HALF_PER_CHUNK = 0.1


class PlacedChunk(Protocol):
    """A chunk and its place in a document."""

    @property
    def id(self) -> str: ...

    @property
    def document_id(self) -> str: ...

    @property
    def position(self) -> int: ...


def document_scores(
    chunks: Iterable[PlacedChunk], words: Mapping[str, SparseVector], asked: SparseVector
) -> dict[str, float]:
    """By document id, how much of the question its proposed chunks hold together, 0 to 1.

    It is BM25 over documents in place of chunks, as far as the proposed chunks show them: q the times a word
    is asked for, t the sum of its weights in the document's chunks, n the highest position among these (from
    1), as the document's length, and r = ln(1 + (N - m + 0.5) / (m + 0.5)) the word's rarity, m of the N
    proposed chunks having it.

        score(d) = sum of q * r * t / (t + 0.2 + 0.1 * n), divided by the sum of q * r

    Args:
        chunks: the proposed ones.
        words: BM25 weights of those that have any words, by their ids.
        asked: the question's words.
    """
    wanted = dict(zip(asked.indices, asked.values, strict=True))
    lengths: Counter[str] = Counter()
    weights: defaultdict[str, defaultdict[int, float]] = defaultdict(lambda: defaultdict(float))
    having: Counter[int] = Counter()
    total = 0
    for chunk in chunks:
        total += 1
        document = chunk.document_id
        lengths[document] = max(lengths[document], chunk.position + 1)
        own = words.get(chunk.id)
        for word, weight in zip(own.indices, own.values, strict=True) if own else ():
            if word in wanted:
                weights[document][word] += weight
                having[word] += 1
    worth = {
        word: times * math.log1p((total - having[word] + 0.5) / (having[word] + 0.5))
        for word, times in wanted.items()
    }
    most = math.fsum(worth.values()) or 1.0
    return {
        document: math.fsum(
            worth[word] * weight / (weight + _HALF + _HALF_PER_CHUNK * length)
            for word, weight in weights[document].items()
        )
        / most
        for document, length in lengths.items()
    }

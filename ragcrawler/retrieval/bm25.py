"""BM25 in memory: exact terms, for names, codes and rare words that embeddings blur."""

import heapq
import math
from collections import Counter
from collections.abc import Sequence

from ragcrawler.retrieval.search_index import LooseDocument, Scored, document_text
from ragcrawler.retrieval.words import words


class BM25Index:
    """A `SearchIndex` over an inverted file.

    score(d, q) is the sum over the terms t of q of

        idf(t) * f * (k1 + 1) / (f + k1 * (1 - b + b * |d| / average |d|)),
        idf(t) = ln(1 + (N - n + 0.5) / (n + 0.5)),

    with f the occurrences of t in d, n of the N documents having t. Source: Robertson and Zaragoza, "The
    Probabilistic Relevance Framework: BM25 and Beyond" (2009), with an idf that cannot be negative. A
    document without any of the terms is not found.
    """

    def __init__(self, *, k1: float = 1.5, b: float = 0.75) -> None:
        """Start empty; `k1` bounds what repetition adds, `b` is the share of length normalisation."""
        self._k1 = k1
        self._b = b
        self._documents: list[LooseDocument] = []
        self._lengths: list[int] = []
        self._total_length = 0
        self._postings: dict[str, dict[int, int]] = {}

    def __len__(self) -> int:
        return len(self._documents)

    def add_document(self, document: LooseDocument) -> None:
        """See `SearchIndex`."""
        number = len(self._documents)
        counts = Counter(words(document_text(document)))
        for word, count in counts.items():
            self._postings.setdefault(word, {})[number] = count
        self._documents.append(document)
        self._lengths.append(counts.total())
        self._total_length += counts.total()

    def add_documents(self, documents: Sequence[LooseDocument]) -> None:
        """See `SearchIndex`."""
        for document in documents:
            self.add_document(document)

    def search(self, query: str, k: int = 1) -> list[Scored]:
        """See `SearchIndex`; equal scores in the order in which the documents were added."""
        scores = self._scores(Counter(words(query)))
        best = heapq.nsmallest(k, scores.items(), key=lambda entry: (-entry[1], entry[0]))
        return [(self._documents[number], score) for number, score in best]

    def _scores(self, query: Counter[str]) -> dict[int, float]:
        scores: dict[int, float] = {}
        if not self._total_length:
            return scores
        average = self._total_length / len(self._documents)
        for word, times in query.items():
            postings = self._postings.get(word, {})
            rarity = len(self._documents) - len(postings) + 0.5
            weight = times * math.log1p(rarity / (len(postings) + 0.5)) * (self._k1 + 1)
            for number, count in postings.items():
                length = self._k1 * (1 - self._b + self._b * self._lengths[number] / average)
                scores[number] = scores.get(number, 0.0) + weight * count / (count + length)
        return scores

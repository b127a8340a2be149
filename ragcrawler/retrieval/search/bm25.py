"""BM25 in memory: exact terms, for names, codes and rare words that embeddings blur."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from ragcrawler.retrieval.search.search_index import LooseDocument, Scored, document_text
from ragcrawler.stores.ranking.words import ENGLISH_STOP_WORDS, snowball, words

if TYPE_CHECKING:
    from bm25s import BM25


class BM25Index:
    """A `SearchIndex` by bm25s; documents may be added at any time.

    score(d, q) is the sum over the terms t of q of

        idf(t) * f / (f + k1 * (1 - b + b * |d| / average |d|)),
        idf(t) = ln(1 + (N - n + 0.5) / (n + 0.5)),

    with f the occurrences of t in d, n of the N documents having t. Source: the variant of Lucene in Kamphuis
    et al., "Which BM25 Do You Mean?" (2020). A document without any of the terms is not found.
    """

    def __init__(
        self,
        *,
        k1: float = 1.5,
        b: float = 0.75,
        language: str = "english",
        stop_words: Collection[str] = ENGLISH_STOP_WORDS,
    ) -> None:
        """Start empty; `k1` bounds what repetition adds, `b` is the share of length normalisation.

        Args:
            k1: not negative.
            b: 0 to 1.
            language: of Snowball's stemmer; "" compares words as they are written.
            stop_words: words that do not count, in lower case.

        Raises:
            ValueError: `k1` or `b` is out of range, or there is no stemmer of the language.
        """
        if k1 < 0 or not 0 <= b <= 1:
            raise ValueError(f"k1={k1} and b={b} are out of range: k1 is at least 0, b is from 0 to 1.")
        self._k1 = k1
        self._b = b
        self._stem = snowball(language) if language else str
        self._stop_words = frozenset(stop_words)
        self._documents: list[LooseDocument] = []
        self._texts: list[list[int]] = []
        self._vocabulary: dict[str, int] = {}
        self._weights: BM25 | None = None

    def __len__(self) -> int:
        return len(self._documents)

    def add_document(self, document: LooseDocument) -> None:
        vocabulary = self._vocabulary
        text = [vocabulary.setdefault(word, len(vocabulary)) for word in self._words(document_text(document))]
        self._documents.append(document)
        self._texts.append(text)
        self._weights = None

    def add_documents(self, documents: Sequence[LooseDocument]) -> None:
        for document in documents:
            self.add_document(document)

    def search(self, query: str, k: int = 1) -> list[Scored]:
        """See `SearchIndex`; equal scores in the order in which the documents were added.

        The first search after an addition weighs all words anew: a second for some ten thousand documents.
        """
        import numpy as np

        asked = [self._vocabulary[word] for word in self._words(query) if word in self._vocabulary]
        if not asked:
            return []
        scores = self._weigh().get_scores_from_ids(asked)
        best = np.argsort(-scores, kind="stable")[:k]
        return [(self._documents[number], float(scores[number])) for number in best if scores[number] > 0]

    def _words(self, text: str) -> list[str]:
        return list(words(text, stem=self._stem, stop_words=self._stop_words))

    def _weigh(self) -> "BM25":
        if self._weights is None:
            from bm25s import BM25
            from bm25s.tokenization import Tokenized

            self._weights = BM25(k1=self._k1, b=self._b, method="lucene")  # type: ignore[no-untyped-call]  # theirs
            self._weights.index(Tokenized(self._texts, self._vocabulary), show_progress=False)
        return self._weights

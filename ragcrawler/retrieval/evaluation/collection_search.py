"""A collection's retriever as what is evaluated."""

from collections.abc import Callable, Iterable, Sequence
from typing import get_args

from ragcrawler.items import SemanticChunk
from ragcrawler.retrieval.evaluation.gold_urls import GoldUrl, found_urls
from ragcrawler.retrieval.evaluation.judged import Grades, JudgedQuery
from ragcrawler.retrieval.search.collection_retriever import CollectionRetriever
from ragcrawler.retrieval.search.search_options import RetrievalMode
from ragcrawler.stores.ranking.word_weights import WORDS_VERSION

_HITS = 30
"""Chunks that are asked for: ten pages and more, where a page does not give more than three."""

Naming = Callable[[Sequence[SemanticChunk], Grades], Sequence[str]]


class CollectionSearch:
    """Asks a retriever, and names what it finds as the gold does."""

    def __init__(self, retriever: CollectionRetriever, naming: Naming = found_urls) -> None:
        self._retriever = retriever
        self._naming = naming

    def __call__(self, query: JudgedQuery, mode: RetrievalMode) -> Sequence[str]:
        hits = self._retriever.search(query.text, _HITS, mode=mode)
        return self._naming([hit.chunk for hit in hits], query.grades)

    @property
    def modes(self) -> list[RetrievalMode]:
        """Those that the collection can be searched in; one of an earlier version holds no words."""
        models = self._retriever.store.models()
        has_words = models is not None and models.words == WORDS_VERSION
        return [mode for mode in get_args(RetrievalMode) if mode != "bm25" or has_words]

    @property
    def models(self) -> str:
        """The names of the models whose vectors are searched."""
        models = self._retriever.store.models()
        return f"{models.dense} + {models.sparse}" if models else ""

    def missing(self, queries: Iterable[JudgedQuery]) -> list[str]:
        """Gold pages that the collection holds under no address: no search can find them."""
        pages = {GoldUrl.of(url).page for query in queries for url in query.grades}
        return sorted(page for page in pages if not self._holds(page))

    def _holds(self, page: str) -> bool:
        count = self._retriever.store.count
        return bool(count(filters={"source_url": page}) or count(filters={"aliases": page}))


def found_documents(chunks: Sequence[SemanticChunk], _: Grades) -> list[str]:
    """The documents that a list of chunks is of, in its order, none twice."""
    return list(dict.fromkeys(chunk.document_id for chunk in chunks))

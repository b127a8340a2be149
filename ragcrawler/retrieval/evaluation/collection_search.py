"""A collection's retriever as what is evaluated."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import get_args

from ragcrawler.items import SemanticChunk, SparseVector
from ragcrawler.retrieval.evaluation.gold_urls import GoldUrl, found_urls
from ragcrawler.retrieval.evaluation.judged import Grades, JudgedQuery
from ragcrawler.retrieval.evaluation.metrics import ndcg
from ragcrawler.retrieval.evaluation.tuning import Quality
from ragcrawler.retrieval.evaluation.weighed_candidates import WeighedCandidates
from ragcrawler.retrieval.search.collection_retriever import CollectionRetriever
from ragcrawler.retrieval.search.query_plan import QueryPlan
from ragcrawler.retrieval.search.search_options import (
    HYBRID_PARTS,
    HybridPart,
    RetrievalMode,
    SearchOptions,
)
from ragcrawler.stores.protocol import Hit
from ragcrawler.stores.ranking.token_scores import token_scores
from ragcrawler.stores.ranking.word_weights import WORDS_VERSION, document_weights
from ragcrawler.stores.search_request import Ranking, SearchRequest

_HITS = 30
"""Chunks that are asked for: ten pages and more, where a page does not give more than three."""

Naming = Callable[[Sequence[SemanticChunk], Grades], Sequence[str]]


class CollectionSearch:
    """Asks a retriever, and names what it finds as the gold does."""

    def __init__(self, retriever: CollectionRetriever, naming: Naming = found_urls) -> None:
        self._retriever = retriever
        self._naming = naming
        self._words: dict[str, SparseVector] = {}

    def __call__(self, query: JudgedQuery, mode: RetrievalMode) -> Sequence[str]:
        hits = self._retriever.search(query.text, _HITS, mode=mode)
        return self._naming([hit.chunk for hit in hits], query.grades)

    @property
    def weights(self) -> dict[HybridPart, float]:
        """Those of "hybrid", of what the collection has."""
        return dict(self._options.for_query(QueryPlan.of(""), has_tokens=self._has_tokens).weights)

    @property
    def question_weights(self) -> dict[HybridPart, float]:
        """Those of questions to token vectors."""
        return dict(self._options.question_weights or {})

    def is_by_question_weights(self, query: JudgedQuery) -> bool:
        """Whether it is ranked by weights of their own, as a question to token vectors."""
        options, plan = self._options, QueryPlan.of(query.text)
        return options.for_query(plan, has_tokens=self._has_tokens).weights is options.question_weights

    def quality(self, query: JudgedQuery) -> Quality:
        """The nDCG@10 of a query by any weights; asks each ranking once.

        The weights that hold now do not matter, nor do a reranker and other wordings.
        """
        options = replace(self._options, weights=dict.fromkeys(HYBRID_PARTS, 1.0), question_weights=None)
        request = self._retriever.request(QueryPlan.of(query.text), _HITS, "hybrid", None, options)
        hits = {each.leg: self._best(request, each) for each in request.rankings if not each.is_empty}
        chunks = {hit.chunk.id: hit.chunk for found in hits.values() for hit in found}
        words = {each: self._words_of(chunk) for each, chunk in chunks.items()}
        names = {each: self._naming([chunk], query.grades)[0] for each, chunk in chunks.items()}
        candidates = WeighedCandidates(request, hits, words, self._token_scores(request, list(chunks)))

        def quality(weights: Mapping[HybridPart, float]) -> float:
            found = dict.fromkeys(names[each] for each in candidates.ranked(weights)[:_HITS])
            return ndcg(list(found), query.grades, 10)

        return quality

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

    @property
    def _options(self) -> SearchOptions:
        return self._retriever.options

    @property
    def _has_tokens(self) -> bool:
        models = self._retriever.store.models()
        return models is not None and bool(models.tokens)

    def _best(self, request: SearchRequest, ranking: Ranking) -> list[Hit]:
        """The chunks that a ranking proposes, where thirty hits are wanted."""
        alone = SearchRequest((ranking,), request.proposed(request.wanted))
        return self._retriever.store.search(alone)

    def _words_of(self, chunk: SemanticChunk) -> SparseVector:
        """Its BM25 weights, as stores make them; one chunk is often proposed."""
        if chunk.id not in self._words:
            self._words[chunk.id] = document_weights(chunk.embed_text)
        return self._words[chunk.id]

    def _token_scores(self, request: SearchRequest, ids: Sequence[str]) -> dict[str, float]:
        if not request.asks_tokens:
            return {}
        stored = {point.id: point.tokens for point in self._retriever.store.points(ids)}
        return token_scores(request.tokens, stored)

    def missing(self, queries: Iterable[JudgedQuery]) -> list[str]:
        """Gold pages that the collection holds under no address: no search can find them."""
        pages = {GoldUrl.of(url).page for query in queries for url in query.relevant}
        return sorted(page for page in pages if not self._holds(page))

    def _holds(self, page: str) -> bool:
        count = self._retriever.store.count
        return bool(count(filters={"source_url": page}) or count(filters={"aliases": page}))


def found_documents(chunks: Sequence[SemanticChunk], _: Grades) -> list[str]:
    """The documents that a list of chunks is of, in its order, none twice."""
    return list(dict.fromkeys(chunk.document_id for chunk in chunks))

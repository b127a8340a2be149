"""How a question is searched: which rankings count, how they become one, and what is left of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from ragcrawler.retrieval.reranking.rerank import RERANK_SECONDS
from ragcrawler.retrieval.search.query_plan import QueryPlan
from ragcrawler.stores.ranking.fusion import RRF_K
from ragcrawler.stores.search_request import Fusion, Leg

RetrievalMode = Literal["hybrid", "dense", "sparse", "bm25"]

HybridPart = Leg | Literal["document", "links", "tokens", "listing", "page"]
"""The parts that "hybrid" weighs: rankings of chunks, the scores of documents and of links to them, the
nearness of tokens, and what listings and further chunks of one page lose."""

LEGS: tuple[Leg, ...] = get_args(Leg)
HYBRID_PARTS: tuple[HybridPart, ...] = (*LEGS, "document", "links", "tokens", "listing", "page")

HYBRID_WEIGHTS: Mapping[HybridPart, float] = {
    "dense": 1.0,
    "bm25": 0.5,
    "sparse": 0.25,
    "document": 0.7,
    "links": 0.7,
    "listing": 0.2,
    "page": 0.05,
}
"""The parts of "hybrid" where nothing else is said; docs/retrieval.md has the evidence."""

QUESTION_WEIGHTS: Mapping[HybridPart, float] = {
    "dense": 1.0,
    "bm25": 0.4,
    "sparse": 0.2,
    "document": 0.5,
    "tokens": 1.0,
    "listing": 0.2,
    "page": 0.05,
}
"""The parts of "hybrid" for a question to a collection with token vectors."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """The options of a search besides its question, mode, number of hits and filters.

    Attributes:
        weights: of the parts of "hybrid"; one that is missing or 0 does not count, nor is it asked.
        question_weights: in their place for a question to a collection with token vectors; None: the same.
        fusion: "rrf" by ranks, "dbsf" by scores.
        k_rrf: the constant of "rrf".
        depth: how many chunks each ranking proposes; 0: 50, or four times what is wanted.
        offset: how many of the best hits are left out.
        per_document: how many hits of one document at most; 0: any number.
        diversity: 0 to 1: how much likeness to better hits counts against a hit; wants a dense ranking.
        score_threshold: hits with a lower score are left out.
        model_seconds: how long a reranker or an expander may take; then it is done without.
    """

    weights: Mapping[HybridPart, float] = field(default_factory=lambda: dict(HYBRID_WEIGHTS))
    question_weights: Mapping[HybridPart, float] | None = field(
        default_factory=lambda: dict(QUESTION_WEIGHTS)
    )
    fusion: Fusion = "dbsf"
    k_rrf: int = RRF_K
    depth: int = 0
    offset: int = 0
    per_document: int = 0
    diversity: float = 0.0
    score_threshold: float | None = None
    model_seconds: float = RERANK_SECONDS

    def for_query(self, plan: QueryPlan, *, has_tokens: bool) -> "SearchOptions":
        """The options with the weights that hold for this query.

        Args:
            plan: of the query.
            has_tokens: whether the collection has token vectors.
        """
        if not has_tokens:
            return replace(
                self, weights={name: each for name, each in self.weights.items() if name != "tokens"}
            )
        if self.question_weights is None or not plan.is_question:
            return self
        return replace(self, weights=self.question_weights)

    def legs(self, mode: RetrievalMode) -> dict[Leg, float]:
        """The rankings that a mode asks, with their weights.

        Raises:
            ValueError: "hybrid" has none left, or one that is not known.
        """
        if mode != "hybrid":
            return {mode: 1.0}
        unknown = self.weights.keys() - set(HYBRID_PARTS)
        if unknown:
            raise ValueError(f"There is no ranking {min(unknown)!r}: choose of {', '.join(HYBRID_PARTS)}.")
        legs: dict[Leg, float] = {
            leg: self.weights[leg] for leg in self.weights if leg in LEGS and self.weights[leg] > 0
        }
        if not legs:
            raise ValueError("A hybrid search needs a ranking: give dense, sparse or bm25 a weight above 0.")
        return legs

    def weight(self, part: HybridPart, mode: RetrievalMode) -> float:
        """How much a part besides the rankings counts in a mode: in "hybrid" alone."""
        return self.weights.get(part, 0.0) if mode == "hybrid" else 0.0

"""How a question is searched: which rankings count, how they become one, and what is left of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from ragcrawler.retrieval.reranking.rerank import RERANK_SECONDS
from ragcrawler.stores.ranking.fusion import RRF_K
from ragcrawler.stores.search_request import Fusion, Leg

RetrievalMode = Literal["hybrid", "dense", "sparse", "bm25"]

HybridPart = Leg | Literal["document"]
"""The parts that "hybrid" weighs: rankings of chunks, and the document score."""

HYBRID_WEIGHTS: Mapping[HybridPart, float] = {"dense": 1.0, "bm25": 0.5, "sparse": 0.25, "document": 0.7}
"""The parts of "hybrid" where nothing else is said; docs/retrieval.md has the evidence."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """The options of a search besides its question, mode, number of hits and filters.

    Attributes:
        weights: of the parts of "hybrid"; one that is missing or 0 does not count, nor is it asked.
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
    fusion: Fusion = "dbsf"
    k_rrf: int = RRF_K
    depth: int = 0
    offset: int = 0
    per_document: int = 0
    diversity: float = 0.0
    score_threshold: float | None = None
    model_seconds: float = RERANK_SECONDS

    def legs(self, mode: RetrievalMode) -> dict[Leg, float]:
        """The rankings that a mode asks, with their weights.

        Raises:
            ValueError: "hybrid" has none left, or one that is not known.
        """
        if mode != "hybrid":
            return {mode: 1.0}
        unknown = self.weights.keys() - {*get_args(Leg), "document"}
        if unknown:
            raise ValueError(
                f"There is no ranking {min(unknown)!r}: choose of dense, sparse, bm25 and document."
            )
        legs: dict[Leg, float] = {
            leg: weight for leg, weight in self.weights.items() if weight > 0 and leg != "document"
        }
        if not legs:
            raise ValueError("A hybrid search needs a ranking: give dense, sparse or bm25 a weight above 0.")
        return legs

    def document_weight(self, mode: RetrievalMode) -> float:
        """How much the words of whole documents count in a mode: in "hybrid" alone."""
        return self.weights.get("document", 0.0) if mode == "hybrid" else 0.0

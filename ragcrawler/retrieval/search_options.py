"""How a question is searched: which rankings count, how they become one, and what is left of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from ragcrawler.retrieval.rerank import RERANK_SECONDS
from ragcrawler.stores.fusion import RRF_K
from ragcrawler.stores.search_request import Fusion, Leg

RetrievalMode = Literal["hybrid", "dense", "sparse", "bm25"]

HYBRID_WEIGHTS: Mapping[Leg, float] = {"dense": 1.0, "bm25": 0.5}
"""The rankings that "hybrid" fuses where nothing else is said; docs/retrieval.md has the evidence."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What can be chosen of a search besides its question, mode, number of hits and filters.

    Attributes:
        weights: of the rankings that "hybrid" fuses; one that is missing or 0 is not asked.
        fusion: "rrf" by ranks, "dbsf" by scores.
        k_rrf: the constant of "rrf".
        depth: how many chunks each ranking proposes; 0: 50, or four times what is wanted.
        offset: how many of the best hits are left out.
        per_document: how many hits of one document at most; 0: any number.
        diversity: 0 to 1: how much likeness to better hits counts against a hit; wants a dense ranking.
        score_threshold: hits with a lower score are left out.
        model_seconds: how long a reranker or an expander may take; then it is done without.
    """

    weights: Mapping[Leg, float] = field(default_factory=lambda: dict(HYBRID_WEIGHTS))
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
        unknown = self.weights.keys() - set(get_args(Leg))
        if unknown:
            raise ValueError(f"There is no ranking {min(unknown)!r}: choose of dense, sparse and bm25.")
        legs = {leg: weight for leg, weight in self.weights.items() if weight > 0}
        if not legs:
            raise ValueError("A hybrid search needs a ranking: give dense, sparse or bm25 a weight above 0.")
        return legs

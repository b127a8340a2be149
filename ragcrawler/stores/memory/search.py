"""Searches in memory: exact, over everything."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragcrawler.items import SemanticChunk, SparseVector
from ragcrawler.stores.ranking.candidates import Candidate, Candidates, best_candidates, fuse
from ragcrawler.stores.ranking.token_scores import token_scores
from ragcrawler.stores.search_request import Ranking, SearchRequest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class LegVectors:
    """The vectors of one chunk, by the names of the rankings."""

    dense: Sequence[float]
    sparse: SparseVector
    bm25: SparseVector
    tokens: tuple[bytes, ...] = ()


class MemoryEngine:
    """A `SearchEngine` over the chunks that fit, and the vectors of all, by chunk id and leg."""

    def __init__(self, fitting: Sequence[SemanticChunk], vectors: Mapping[str, LegVectors]) -> None:
        self._fitting = fitting
        self._vectors = vectors

    def fuse(self, request: SearchRequest, limit: int) -> list[Candidate]:
        if len(request.rankings) == 1:
            return list(self.legs(request, limit).rankings[0])
        return fuse(self.legs(request, request.proposed(limit)), request)[:limit]

    def legs(self, request: SearchRequest, limit: int) -> Candidates:
        rankings = [best_candidates(self._score(ranking), limit) for ranking in request.rankings]
        ids = {each.id for ranking in rankings for each in ranking}
        return Candidates(rankings, {each: self._vectors[each].bm25 for each in ids})

    def token_scores(self, request: SearchRequest, ids: Sequence[str]) -> dict[str, float]:
        return token_scores(request.tokens, {each: self._vectors[each].tokens for each in ids})

    def diversify(self, request: SearchRequest, ids: Sequence[str]) -> list[str]:
        directions = self._directions(ids)
        relevance = directions @ _direction(request.dense)
        likeness = directions @ directions.T
        chosen = [max(range(len(ids)), key=lambda each: (relevance[each], -each))]
        while len(chosen) < len(ids):
            left = [each for each in range(len(ids)) if each not in chosen]
            worth = {
                each: (1 - request.diversity) * relevance[each]
                - request.diversity * max(likeness[each, other] for other in chosen)
                for each in left
            }
            chosen.append(max(left, key=lambda each: (worth[each], -each)))
        return [ids[each] for each in chosen]

    def chunks(self, ids: Sequence[str]) -> dict[str, SemanticChunk]:
        wanted = set(ids)
        return {chunk.id: chunk for chunk in self._fitting if chunk.id in wanted}

    def _score(self, ranking: Ranking) -> list[Candidate]:
        if isinstance(ranking.vector, SparseVector):
            return self._by_products(ranking.leg, ranking.vector)
        if not self._fitting:
            return []
        scores = self._directions([chunk.id for chunk in self._fitting]) @ _direction(ranking.vector)
        return [
            Candidate.of_chunk(chunk, float(score))
            for chunk, score in zip(self._fitting, scores, strict=True)
        ]

    def _by_products(self, leg: str, vector: SparseVector) -> list[Candidate]:
        """By dot product, over the chunks that share an entry with the query."""
        rarity = self._rarity(leg, vector) if leg == "bm25" else {}
        weights = {
            index: value * rarity.get(index, 1.0)
            for index, value in zip(vector.indices, vector.values, strict=True)
        }
        hits = []
        for chunk in self._fitting:
            own = self._sparse(chunk.id, leg)
            pairs = zip(own.indices, own.values, strict=True)
            shared = [weights[index] * value for index, value in pairs if index in weights]
            if shared:
                hits.append(Candidate.of_chunk(chunk, sum(shared)))
        return hits

    def _rarity(self, leg: str, vector: SparseVector) -> dict[int, float]:
        """IDF over the whole collection, as the engines count it: ln(1 + (N - n + 0.5) / (n + 0.5))."""
        asked = set(vector.indices)
        having = Counter(
            index for each in self._vectors for index in self._sparse(each, leg).indices if index in asked
        )
        total = len(self._vectors)
        return {each: math.log1p((total - having[each] + 0.5) / (having[each] + 0.5)) for each in asked}

    def _sparse(self, chunk_id: str, leg: str) -> SparseVector:
        vectors = self._vectors[chunk_id]
        return vectors.bm25 if leg == "bm25" else vectors.sparse

    def _directions(self, ids: Sequence[str]) -> "NDArray[np.float32]":
        import numpy as np

        return np.stack([_direction(self._vectors[each].dense) for each in ids])


def _direction(vector: Sequence[float] | SparseVector) -> "NDArray[np.float32]":
    """The dense vector at length one; zeros stay zeros and are similar to nothing."""
    import numpy as np

    values = np.asarray(vector, dtype=np.float32)
    return values / (np.linalg.norm(values) or 1.0)

"""Merge, fuse and cut rankings, the same on every run: ties are broken by id."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ragcrawler.items import SemanticChunk, SparseVector
from ragcrawler.stores.ranking.document_scores import document_scores
from ragcrawler.stores.ranking.fusion import RRF_K, distribution_based_score_fusion, reciprocal_rank_fusion
from ragcrawler.stores.search_request import SearchRequest

OVERSAMPLING = 2.0
"""Of quantised vectors: twice the hits are looked at again with the whole ones. At 20,000 chunks of 384
dimensions the ten best were all found by it, and 19 of 20 without it, in the same time."""

_TIE_MARGIN = 8

CANDIDATE_FIELDS = ["document_id", "position", "extra.kind"]
"""The payload fields of a `Candidate`: to decode whole payloads takes longer than to search."""


class Candidate(NamedTuple):
    """A proposed chunk: what ranking asks of it.

    Attributes:
        id: the chunk's.
        score: of one ranking, or of the fusion.
        document_id: its document.
        position: its place in there, from 0.
        is_listing: it is an index, contents, bare links or a changelog.
    """

    id: str
    score: float
    document_id: str
    position: int
    is_listing: bool = False

    @classmethod
    def of_chunk(cls, chunk: SemanticChunk, score: float) -> "Candidate":
        return cls(chunk.id, score, chunk.document_id, chunk.position, bool(chunk.extra.kind))


@dataclass(frozen=True, slots=True)
class Candidates:
    """The candidates of one engine, before fusion.

    Attributes:
        rankings: the best of each ranking, best first.
        words: the BM25 weights of all their chunks, by chunk id, where the request asks documents.
        link_scores: by document id, what labels of links hold of the question, where the request asks links.
        token_scores: by chunk id, how near their token vectors come, where the request asks tokens.
    """

    rankings: Sequence[Sequence[Candidate]]
    words: Mapping[str, SparseVector] = field(default_factory=dict)
    link_scores: Mapping[str, float] = field(default_factory=dict)
    token_scores: Mapping[str, float] = field(default_factory=dict)

    @property
    def ids(self) -> list[str]:
        """The ids of all proposed chunks, each once."""
        return list(dict.fromkeys(each.id for ranking in self.rankings for each in ranking))


def engine_rrf_k(k_rrf: int = RRF_K) -> int:
    """The engines' constant for ours.

    They count ranks from 0 and score 1 / (k + rank); the specification counts from 1. One more makes both
    the same formula.
    """
    return k_rrf + 1


def oversampled(wanted: int) -> int:
    """How many hits to ask for: equal scores come in random order, so those at the end are cut here."""
    return wanted + _TIE_MARGIN


def engine_fuses(request: SearchRequest) -> bool:
    """Whether the engine can fuse the rankings.

    A weight of the engines divides the rank, which at k = 60 changes next to nothing; ours multiplies what
    the ranking adds. Rankings of another weight than 1 are therefore fused here; one alone stays as it is.
    What documents and links to them have of the words is known to no engine, nor what listings and further
    chunks of a page lose.
    """
    if request.asks_documents or request.asks_links or request.asks_tokens or request.has_discounts:
        return False
    return len(request.rankings) == 1 or {ranking.weight for ranking in request.rankings} == {1.0}


def word_vectors(points: Iterable[Any]) -> dict[str, SparseVector]:
    """By id, the BM25 weights of the engines' points that came with them; a chunk without words has none."""
    vectors = {str(point.id): point.vector for point in points}
    return {
        point: SparseVector(vector["bm25"].indices, vector["bm25"].values)
        for point, vector in vectors.items()
        if vector and "bm25" in vector
    }


def candidates_of(points: Iterable[Any], limit: int) -> list[Candidate]:
    """The best `limit` of the engines' points that came with `CANDIDATE_FIELDS`, best first."""
    return best_candidates((_candidate(each.id, each.score, each.payload or {}) for each in points), limit)


def _candidate(point_id: object, score: float, payload: Mapping[str, Any]) -> Candidate:
    kind = (payload.get("extra") or {}).get("kind", "")
    return Candidate(str(point_id), score, payload["document_id"], payload["position"], bool(kind))


def fuse(candidates: Candidates, request: SearchRequest) -> list[Candidate]:
    """One ranking of several, by the request's method and weights."""
    known = {each.id: each for ranking in candidates.rankings for each in ranking}
    rankings = [*candidates.rankings]
    weights = [ranking.weight for ranking in request.rankings]
    if candidates.token_scores:
        most = max(map(len, rankings))
        scored = (known[each]._replace(score=score) for each, score in candidates.token_scores.items())
        rankings.append(best_candidates(scored, most))
        weights.append(request.token_weight)
    if request.fusion == "dbsf":
        scores = [{each.id: each.score for each in ranking} for ranking in rankings]
        merged = distribution_based_score_fusion(scores, weights=weights)
    else:
        ids = [[each.id for each in ranking] for ranking in rankings]
        merged = reciprocal_rank_fusion(ids, k=request.k_rrf, weights=weights)
    if request.asks_documents:
        extra = document_parts(known, candidates.words, request)
        weight = request.document_weight
        merged = [(each, score + weight * extra[known[each].document_id]) for each, score in merged]
    if candidates.link_scores:
        extra = parts_of_documents(candidates.link_scores, request)
        weight = request.link_weight
        merged = [(each, score + weight * extra.get(known[each].document_id, 0.0)) for each, score in merged]
    return best_candidates((known[each]._replace(score=score) for each, score in merged), len(merged))


def document_parts(
    known: Mapping[str, Candidate], words: Mapping[str, SparseVector], request: SearchRequest
) -> Mapping[str, float]:
    """By document id, what a weight of 1 adds to its chunks: its share of the words, or its reciprocal rank.

    Args:
        known: the proposed chunks by id.
        words: their BM25 weights by id.
        request: its fusion decides which, its words are those that are asked for.
    """
    return parts_of_documents(document_scores(known.values(), words, request.words), request)


def parts_of_documents(scores: Mapping[str, float], request: SearchRequest) -> Mapping[str, float]:
    """By document id, what a weight of 1 adds to its chunks: its score, or by "rrf" its reciprocal rank."""
    if request.fusion != "rrf":
        return scores
    order = sorted(scores, key=lambda each: (-scores[each], each))
    return dict(reciprocal_rank_fusion([order], k=request.k_rrf))


def best_candidates(candidates: Iterable[Candidate], limit: int) -> list[Candidate]:
    """The best `limit`, best first; equal scores by id, the same on every run."""
    return sorted(candidates, key=lambda each: (-each.score, each.id))[:limit]


def select(ranked: Sequence[Candidate], request: SearchRequest) -> list[Candidate]:
    """The part of a whole ranking that was asked for."""
    least = request.score_threshold
    kept = [each for each in ranked if least is None or each.score >= least]
    return limit_per_document(kept, request.per_document)[request.offset : request.wanted]


def limit_per_document(ranked: Sequence[Candidate], per_document: int) -> list[Candidate]:
    """The candidates without those that come after `per_document` of their document; all of them for 0."""
    if not per_document:
        return list(ranked)
    seen: Counter[str] = Counter()
    kept = []
    for each in ranked:
        seen[each.document_id] += 1
        if seen[each.document_id] <= per_document:
            kept.append(each)
    return kept

"""One search on any engine: rank, fuse, vary, group, cut."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from ragcrawler.items import SemanticChunk
from ragcrawler.stores.protocol import Hit
from ragcrawler.stores.ranking.candidates import (
    Candidate,
    Candidates,
    best_candidates,
    engine_fuses,
    fuse,
    select,
)
from ragcrawler.stores.ranking.link_scores import link_scores, link_words
from ragcrawler.stores.search_request import SearchRequest

_GROWTH = 4


class RankingEngine(Protocol):
    """The operations of a search engine; every list is best first, equal scores in the order of their ids."""

    def fuse(self, request: SearchRequest, limit: int) -> list[Candidate]:
        """The best of the rankings as one, in one round trip; their weights are equal."""

    def legs(self, request: SearchRequest, limit: int) -> Candidates:
        """The best of each ranking, in one round trip."""

    def token_scores(self, request: SearchRequest, ids: Sequence[str]) -> Mapping[str, float]:
        """By id, how near the token vectors of these chunks come to the question's, where they have any."""

    def diversify(self, request: SearchRequest, ids: Sequence[str]) -> list[str]:
        """The ids in the order of maximal marginal relevance to the dense ranking's vector."""

    def chunks(self, ids: Sequence[str]) -> Mapping[str, SemanticChunk]:
        """The chunks of these ids that exist, by id, without vectors."""


def search(engine: RankingEngine, request: SearchRequest) -> list[Hit]:
    """The hits that were asked for; rankings by nothing, a question without known words say, find nothing."""
    rankings = tuple(each for each in request.rankings if not each.is_empty)
    if not rankings:
        return []
    found = _select(engine, replace(request, rankings=rankings))
    chunks = engine.chunks([each.id for each in found])
    return [Hit(chunks[each.id], each.score) for each in found if each.id in chunks]


def _select(engine: RankingEngine, request: SearchRequest) -> list[Candidate]:
    if request.diversity:
        return select(_diversified_search(engine, request), request)
    limit = request.wanted
    while True:
        ranked = _ranked(engine, request, limit)
        found = select(ranked, request)
        # Where documents are limited, the best hits may all be of a few of them.
        if not request.per_document or len(found) == request.limit or len(ranked) < limit:
            return found
        limit *= _GROWTH


def _ranked(engine: RankingEngine, request: SearchRequest, limit: int) -> list[Candidate]:
    if engine_fuses(request):
        return engine.fuse(request, limit)
    candidates = engine.legs(request, request.proposed(limit))
    if request.asks_links and candidates.ids:
        chunks = engine.chunks(candidates.ids).values()
        candidates = replace(candidates, link_scores=link_scores(link_words(list(chunks)), request.words))
    if request.asks_tokens and candidates.ids:
        candidates = replace(candidates, token_scores=engine.token_scores(request, candidates.ids))
    fused = fuse(candidates, request)
    return (discount(fused, request) if request.has_discounts else fused)[:limit]


def _diversified_search(engine: RankingEngine, request: SearchRequest) -> list[Candidate]:
    ranked = {each.id: each for each in _ranked(engine, request, request.proposed(request.wanted))}
    return [ranked[each] for each in engine.diversify(request, list(ranked))] if ranked else []


def discount(ranked: Iterable[Candidate], request: SearchRequest) -> list[Candidate]:
    """The fused candidates in their new order, best first.

    A listing loses `listing_weight`; after that the n-th best chunk of a document loses n - 1 times
    `page_weight`. Both are on the scale of "dbsf"; by "rrf" they are divided by its constant, as its scores
    are.
    """
    scale = 1 / (request.k_rrf + 1) if request.fusion == "rrf" else 1.0
    listing, page = scale * request.listing_weight, scale * request.page_weight
    weighed = [each._replace(score=each.score - listing) if each.is_listing else each for each in ranked]
    before: Counter[str] = Counter()
    found = []
    for each in best_candidates(weighed, len(weighed)):
        found.append(each._replace(score=each.score - page * before[each.document_id]))
        before[each.document_id] += 1
    return best_candidates(found, len(found))

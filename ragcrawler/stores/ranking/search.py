"""One search on any engine: rank, fuse, vary, group, cut."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from ragcrawler.stores.protocol import Hit
from ragcrawler.stores.ranking.candidates import Candidates, engine_fuses, fuse, select_hits
from ragcrawler.stores.search_request import SearchRequest

_GROWTH = 4


class SearchEngine(Protocol):
    """The operations of a search engine; every list is best first, equal scores in the order of their ids."""

    def fuse(self, request: SearchRequest, limit: int) -> list[Hit]:
        """The best of the rankings as one, in one round trip; their weights are equal."""

    def legs(self, request: SearchRequest, limit: int) -> Candidates:
        """The best of each ranking, in one round trip."""

    def diversify(self, request: SearchRequest, ids: Sequence[str]) -> list[str]:
        """The ids in the order of maximal marginal relevance to the dense ranking's vector."""


def search(engine: SearchEngine, request: SearchRequest) -> list[Hit]:
    """The hits that were asked for; rankings by nothing, a question without known words say, find nothing."""
    rankings = tuple(each for each in request.rankings if not each.is_empty)
    if not rankings:
        return []
    request = replace(request, rankings=rankings)
    if request.diversity:
        return select_hits(_diversified_search(engine, request), request)
    limit = request.wanted
    while True:
        hits = _ranked(engine, request, limit)
        found = select_hits(hits, request)
        # Where documents are limited, the best hits may all be of a few of them.
        if not request.per_document or len(found) == request.limit or len(hits) < limit:
            return found
        limit *= _GROWTH


def _ranked(engine: SearchEngine, request: SearchRequest, limit: int) -> list[Hit]:
    if engine_fuses(request):
        return engine.fuse(request, limit)
    return fuse(engine.legs(request, request.proposed(limit)), request)[:limit]


def _diversified_search(engine: SearchEngine, request: SearchRequest) -> list[Hit]:
    hits = {hit.chunk.id: hit for hit in _ranked(engine, request, request.proposed(request.wanted))}
    return [hits[each] for each in engine.diversify(request, list(hits))] if hits else []

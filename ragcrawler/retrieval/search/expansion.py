"""Other wordings of a question, for those that use none of the pages' words; off by default."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from ragcrawler.retrieval.time_limit import call_with_timeout
from ragcrawler.stores import Hit, ReadableStore
from ragcrawler.stores.ranking.candidates import Candidate, best_candidates, limit_per_document
from ragcrawler.stores.ranking.fusion import reciprocal_rank_fusion
from ragcrawler.stores.search_request import SearchRequest

_logger = logging.getLogger(__name__)

Expander = Callable[[str], list[str]]
"""Takes a question, gives other wordings of it."""


def other_wordings(expander: Expander | None, query: str, seconds: float) -> list[str]:
    """Other wordings of the question; none where there is no expander, or where it fails or is late."""
    if expander is None:
        return []
    try:
        return call_with_timeout(seconds, lambda: expander(query))
    except Exception as error:  # noqa: BLE001  # whatever a model, its client or its network comes up with
        _logger.warning("The question is searched as it stands: %s: %s.", type(error).__name__, error)
        return []


def search_wordings(store: ReadableStore, requests: Sequence[SearchRequest]) -> list[Hit]:
    """The hits of one search, or of several, which differ in their wording only, fused by rank.

    Raises:
        StoreError: there is no collection, or the requests do not fit it.
    """
    if len(requests) == 1:
        return store.search(requests[0])
    first = requests[0]
    pool = first.proposed(first.wanted)
    found = [store.search(replace(each, offset=0, limit=pool)) for each in requests]
    chunks = {hit.chunk.id: hit.chunk for hits in found for hit in hits}
    fused = reciprocal_rank_fusion([[hit.chunk.id for hit in hits] for hits in found], k=first.k_rrf)
    ranked = best_candidates((Candidate.of_chunk(chunks[each], score) for each, score in fused), len(fused))
    kept = limit_per_document(ranked, first.per_document)[first.offset : first.wanted]
    return [Hit(chunks[each.id], each.score) for each in kept]

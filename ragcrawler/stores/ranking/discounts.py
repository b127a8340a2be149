"""Discount what stands before content: listings, and further chunks of one document."""

from collections import Counter
from collections.abc import Iterable

from ragcrawler.stores.ranking.candidates import Candidate, best_candidates
from ragcrawler.stores.search_request import SearchRequest


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

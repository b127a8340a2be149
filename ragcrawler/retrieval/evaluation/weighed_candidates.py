"""The candidates of one query, ranked by any weights as a search ranks them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ragcrawler.items import SparseVector
from ragcrawler.retrieval.search.search_options import HybridPart
from ragcrawler.stores.protocol import Hit
from ragcrawler.stores.ranking.candidates import (
    Candidate,
    Candidates,
    document_parts,
    fuse,
    parts_of_documents,
)
from ragcrawler.stores.ranking.link_scores import link_scores, link_words
from ragcrawler.stores.search_request import Leg, SearchRequest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class _Parts:
    """The parts of the scores of n chunks, in the order of their ids, for one choice of rankings.

    Attributes:
        ids: of the chunks.
        names: of the parts, one a column.
        values: n rows, each to be multiplied by the weights of its parts and summed.
        is_listing: by chunk.
        documents: by chunk, a number that stands for its document.
    """

    ids: Sequence[str]
    names: Sequence[HybridPart]
    values: "NDArray[np.float64]"
    is_listing: "NDArray[np.bool_]"
    documents: "NDArray[np.intp]"


class WeighedCandidates:
    """Ranks what was proposed for one query by any weights.

    What does not depend on the weights is computed once for each choice of rankings: only those with a
    weight propose chunks. Tested to rank as `stores.ranking.search` does.
    """

    def __init__(
        self,
        request: SearchRequest,
        hits: Mapping[Leg, Sequence[Hit]],
        words: Mapping[str, SparseVector],
        tokens: Mapping[str, float] | None = None,
    ) -> None:
        """Keep what ranking asks of the hits.

        Args:
            request: the query's, with a weight of 1 for all that may count.
            hits: the best of each ranking, best first.
            words: the BM25 weights of their chunks, by chunk id.
            tokens: how near their token vectors come, by chunk id, where they have any.
        """
        self._request = request
        self._rankings = {
            leg: [Candidate.of_chunk(hit.chunk, hit.score) for hit in found] for leg, found in hits.items()
        }
        self._chunks = {hit.chunk.id: hit.chunk for found in hits.values() for hit in found}
        self._words = words
        self._tokens = tokens or {}
        self._parts: dict[frozenset[Leg], _Parts] = {}

    def ranked(self, weights: Mapping[HybridPart, float]) -> list[str]:
        """The ids of all chunks that these weights propose, best first; equal scores by id."""
        import numpy as np

        parts = self._of(frozenset(leg for leg in self._rankings if weights.get(leg)))
        if not parts.ids:
            return []
        request = self._request
        scale = 1 / (request.k_rrf + 1) if request.fusion == "rrf" else 1.0
        scores = parts.values @ np.asarray([weights.get(name, 0.0) for name in parts.names])
        # The request's is 1, and 0 for a query that names a release.
        scores -= scale * request.listing_weight * weights.get("listing", 0.0) * parts.is_listing
        order = np.argsort(-scores, kind="stable")
        scores[order] -= scale * weights.get("page", 0.0) * _better_of_same(parts.documents[order])
        return [parts.ids[each] for each in np.argsort(-scores, kind="stable")]

    def _of(self, legs: frozenset[Leg]) -> _Parts:
        if legs not in self._parts:
            self._parts[legs] = self._make(legs)
        return self._parts[legs]

    def _make(self, legs: frozenset[Leg]) -> _Parts:
        import numpy as np

        known = {each.id: each for leg, found in self._rankings.items() if leg in legs for each in found}
        ids = sorted(known)
        columns: dict[HybridPart, Mapping[str, float]] = {
            leg: self._scaled(leg) for leg in self._rankings if leg in legs
        }
        if self._request.asks_links:
            linked = self._linked(ids)
            columns["links"] = {each: linked.get(known[each].document_id, 0.0) for each in ids}
        if self._tokens:
            columns["tokens"] = self._scaled_tokens(legs)
        if self._request.asks_documents:
            added = document_parts(known, self._words, self._request)
            columns["document"] = {each: added[known[each].document_id] for each in ids}
        documents = sorted({each.document_id for each in known.values()})
        numbers = {each: number for number, each in enumerate(documents)}
        values = [[column.get(each, 0.0) for column in columns.values()] for each in ids]
        return _Parts(
            ids=ids,
            names=list(columns),
            values=np.asarray(values, dtype=np.float64).reshape(len(ids), len(columns)),
            is_listing=np.asarray([known[each].is_listing for each in ids], dtype=np.bool_),
            documents=np.asarray([numbers[known[each].document_id] for each in ids], dtype=np.intp),
        )

    def _linked(self, ids: Sequence[str]) -> Mapping[str, float]:
        """By document id, what links in these chunks add at a weight of 1."""
        scores = link_scores(link_words([self._chunks[each] for each in ids]), self._request.words)
        return parts_of_documents(scores, self._request)

    def _scaled(self, leg: Leg) -> dict[str, float]:
        """What a ranking alone adds to each of its chunks at a weight of 1."""
        alone = tuple(replace(each, weight=1.0) for each in self._request.rankings if each.leg == leg)
        request = replace(self._request, rankings=alone, document_weight=0.0)
        return {each.id: each.score for each in fuse(Candidates([self._rankings[leg]]), request)}

    def _scaled_tokens(self, legs: frozenset[Leg]) -> dict[str, float]:
        """The same for token vectors, of the chunks that these rankings propose."""
        silent = tuple(replace(each, weight=0.0) for each in self._request.rankings if each.leg in legs)
        rankings = [self._rankings[each.leg] for each in silent]
        proposed = {each.id for ranking in rankings for each in ranking}
        near = {each: score for each, score in self._tokens.items() if each in proposed}
        request = replace(self._request, rankings=silent, document_weight=0.0, token_weight=1.0)
        return {each.id: each.score for each in fuse(Candidates(rankings, token_scores=near), request)}


def _better_of_same(documents: "NDArray[np.intp]") -> "NDArray[np.intp]":
    """For each place of a ranking, how many before it are of its document."""
    import numpy as np

    grouped = np.argsort(documents, kind="stable")
    found = np.empty_like(documents)
    found[grouped] = np.arange(len(documents)) - np.searchsorted(documents[grouped], documents[grouped])
    return found

"""Searches on a Qdrant server."""

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from ragcrawler.items import SemanticChunk, SparseVector
from ragcrawler.stores.payload import chunk_from_payload
from ragcrawler.stores.qdrant_server.filters import server_filter
from ragcrawler.stores.qdrant_server.requests import floats, server_sparse
from ragcrawler.stores.ranking.candidates import (
    CANDIDATE_FIELDS,
    OVERSAMPLING,
    Candidate,
    Candidates,
    candidates_of,
    engine_rrf_k,
    oversampled,
    word_vectors,
)
from ragcrawler.stores.search_request import SearchRequest

if TYPE_CHECKING:
    from qdrant_client import QdrantClient


class ServerEngine:
    """A `SearchEngine`; what belongs to one document is grouped by the server."""

    def __init__(self, client: "QdrantClient", collection: str) -> None:
        self._client = client
        self._collection = collection

    def fuse(self, request: SearchRequest, limit: int) -> list[Candidate]:
        query = _query(request, limit)
        if not request.per_document or request.diversity:
            points = self._client.query_points(
                self._collection, **query, limit=oversampled(limit), with_payload=CANDIDATE_FIELDS
            ).points
            return candidates_of(points, limit)
        # The best hits, so many of a document at most, are of the best documents, of which each gives one.
        groups = self._client.query_points_groups(
            self._collection,
            "document_id",
            **query,
            limit=oversampled(limit),
            group_size=request.per_document,
            with_payload=CANDIDATE_FIELDS,
        ).groups
        return candidates_of((point for group in groups for point in group.hits), limit)

    def legs(self, request: SearchRequest, limit: int) -> Candidates:
        from qdrant_client import models

        fitting = server_filter(request.filters)
        queries = [
            models.QueryRequest(
                **each,
                filter=fitting,
                limit=oversampled(limit),
                with_payload=CANDIDATE_FIELDS,
                with_vector=["bm25"] if request.asks_documents else False,
            )
            for each in _nearest(request)
        ]
        answers = [each.points for each in self._client.query_batch_points(self._collection, queries)]
        return Candidates([candidates_of(each, limit) for each in answers], word_vectors(chain(*answers)))

    def token_scores(self, request: SearchRequest, ids: Sequence[str]) -> dict[str, float]:
        from qdrant_client import models

        points = self._client.query_points(
            self._collection,
            query=[floats(each) for each in request.tokens],
            using="tokens",
            query_filter=models.Filter(must=[models.HasIdCondition(has_id=[*ids])]),
            limit=len(ids),
            with_payload=False,
        ).points
        return {str(point.id): point.score for point in points}

    def diversify(self, request: SearchRequest, ids: Sequence[str]) -> list[str]:
        from qdrant_client import models

        points = self._client.query_points(
            self._collection,
            query=models.NearestQuery(
                nearest=floats(request.dense),
                mmr=models.Mmr(diversity=request.diversity, candidates_limit=len(ids)),
            ),
            using="dense",
            query_filter=models.Filter(must=[models.HasIdCondition(has_id=[*ids])]),
            limit=len(ids),
            with_payload=False,
        ).points
        return [str(point.id) for point in points]

    def chunks(self, ids: Sequence[str]) -> dict[str, SemanticChunk]:
        records = self._client.retrieve(self._collection, ids, with_payload=True)
        return {str(record.id): chunk_from_payload(record.payload or {}) for record in records}


def _query(request: SearchRequest, limit: int) -> dict[str, Any]:
    """The ranking's or the fusion's keywords for a query."""
    from qdrant_client import models

    fitting, nearest = server_filter(request.filters), _nearest(request)
    if len(nearest) == 1:
        params = nearest[0].pop("params")
        return {**nearest[0], "search_params": params, "query_filter": fitting}
    fusion = (
        models.FusionQuery(fusion=models.Fusion.DBSF)
        if request.fusion == "dbsf"
        else models.RrfQuery(rrf=models.Rrf(k=engine_rrf_k(request.k_rrf)))
    )
    depth = request.proposed(limit)
    return {
        "query": fusion,
        "prefetch": [models.Prefetch(**each, filter=fitting, limit=depth) for each in nearest],
    }


def _nearest(request: SearchRequest) -> list[dict[str, Any]]:
    from qdrant_client import models

    rescored = models.QuantizationSearchParams(rescore=True, oversampling=OVERSAMPLING)
    return [
        {
            "query": server_sparse(each.vector)
            if isinstance(each.vector, SparseVector)
            else floats(each.vector),
            "using": each.leg,
            "params": models.SearchParams(quantization=rescored),
        }
        for each in request.rankings
    ]

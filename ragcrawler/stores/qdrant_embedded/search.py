"""Searches on the embedded engine."""

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from ragcrawler.items import SemanticChunk, SparseVector
from ragcrawler.stores.payload import chunk_from_payload
from ragcrawler.stores.qdrant_embedded.filters import edge_filter
from ragcrawler.stores.qdrant_embedded.requests import edge_ids, edge_sparse, edge_tokens
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
from ragcrawler.stores.search_request import Ranking, SearchRequest

if TYPE_CHECKING:
    import qdrant_edge as edge


class EdgeEngine:
    """A `SearchEngine`; it groups by no field, which is done on the answer."""

    def __init__(self, shard: "edge.EdgeShard") -> None:
        self._shard = shard

    def fuse(self, request: SearchRequest, limit: int) -> list[Candidate]:
        import qdrant_edge as edge

        if len(request.rankings) == 1:
            return list(self.legs(request, limit).rankings[0])
        fitting, depth = edge_filter(request.filters), request.proposed(limit)
        return candidates_of(
            self._shard.query(
                edge.QueryRequest(
                    oversampled(limit),
                    query=_fusion(request),
                    prefetches=[
                        edge.Prefetch(depth, query=_nearest(each), filter=fitting, params=_rescore())
                        for each in request.rankings
                    ],
                    with_payload=CANDIDATE_FIELDS,
                )
            ),
            limit,
        )

    def legs(self, request: SearchRequest, limit: int) -> Candidates:
        import qdrant_edge as edge

        fitting = edge_filter(request.filters)
        queries = [
            edge.QueryRequest(
                oversampled(limit),
                query=_nearest(each),
                filter=fitting,
                with_payload=CANDIDATE_FIELDS,
                with_vector=["bm25"] if request.asks_documents else False,
                params=_rescore(),
            )
            for each in request.rankings
        ]
        answers = self._shard.query_batch(edge.QueryBatchRequest(queries))
        return Candidates([candidates_of(each, limit) for each in answers], word_vectors(chain(*answers)))

    def token_scores(self, request: SearchRequest, ids: Sequence[str]) -> dict[str, float]:
        import qdrant_edge as edge

        query = edge.Query.Nearest(edge_tokens(request.tokens), using="tokens")
        among = edge.Filter(must=[edge.HasIdCondition(set(ids))])
        points = self._shard.query(edge.QueryRequest(len(ids), query=query, filter=among, with_payload=False))
        return {str(point.id): point.score for point in points}

    def diversify(self, request: SearchRequest, ids: Sequence[str]) -> list[str]:
        import qdrant_edge as edge

        query = edge.Mmr(list(request.dense), 1.0 - request.diversity, len(ids), using="dense")
        among = edge.Filter(must=[edge.HasIdCondition(set(ids))])
        points = self._shard.query(edge.QueryRequest(len(ids), query=query, filter=among, with_payload=False))
        return [str(point.id) for point in points]

    def chunks(self, ids: Sequence[str]) -> dict[str, SemanticChunk]:
        records = self._shard.retrieve(edge_ids(ids), True, False)
        return {str(record.id): chunk_from_payload(record.payload or {}) for record in records}


def _nearest(ranking: Ranking) -> "edge.Query":
    import qdrant_edge as edge

    vector = ranking.vector
    wanted: Any = edge_sparse(vector) if isinstance(vector, SparseVector) else list(vector)
    return edge.Query.Nearest(wanted, using=ranking.leg)


def _rescore() -> "edge.SearchParams":
    import qdrant_edge as edge

    return edge.SearchParams(
        quantization=edge.QuantizationSearchParams(rescore=True, oversampling=OVERSAMPLING)
    )


def _fusion(request: SearchRequest) -> Any:
    import qdrant_edge as edge

    return edge.Fusion.Dbsf() if request.fusion == "dbsf" else edge.Fusion.Rrf(k=engine_rrf_k(request.k_rrf))

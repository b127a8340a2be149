"""The specification's `Retriever`: several indexes as one (004)."""

from collections.abc import Hashable, Sequence
from typing import Any

from ragcrawler.retrieval.reranking.rerank import RERANK_SECONDS, RERANKED, Reranker, rerank
from ragcrawler.retrieval.search.search_index import LooseDocument, Scored, SearchIndex, document_text
from ragcrawler.stores.ranking.fusion import RRF_K, reciprocal_rank_fusion

# A document that an index ranks lower than this gets nothing from it: at most 1 / 1061 with the usual k_rrf.
_DEPTH = 1_000
_DEPTH_PER_RESULT = 4


class Retriever:
    """Hands documents to every index, and fuses what they find by reciprocal rank fusion.

    It is itself a `SearchIndex`. Documents are told apart by their "id"; one that is added here without any
    gets the next free "document-<n>", so that all indexes and the reranker know the same; one that was put
    into an index directly is known by its text. Of several with one id, an index's best hit is what counts.
    """

    def __init__(
        self,
        *indexes: SearchIndex,
        reranker_fn: Reranker | None = None,
        k_rrf: float = RRF_K,
        weights: Sequence[float] | None = None,
        rerank_seconds: float = RERANK_SECONDS,
    ) -> None:
        """Combine `indexes`; a higher `k_rrf` lets low ranks count for more.

        Args:
            indexes: at least one.
            reranker_fn: takes a second look at the best candidates, see `Reranker`.
            k_rrf: the constant of the fusion, not negative.
            weights: of the indexes, in their order; all alike where there are none.
            rerank_seconds: after which the fused order stands.

        Raises:
            ValueError: there is no index, `k_rrf` is negative, or the weights do not fit the indexes.
        """
        if not indexes:
            raise ValueError("A Retriever needs at least one index: Retriever(BM25Index(), ...).")
        if k_rrf < 0:
            raise ValueError(f"k_rrf is {k_rrf}: it must not be negative; 60 is usual.")
        if weights is not None and len(weights) != len(indexes):
            raise ValueError(f"There are {len(weights)} weights for {len(indexes)} indexes: give each one.")
        self._indexes = indexes
        self._reranker = reranker_fn
        self._k_rrf = k_rrf
        self._weights = weights
        self._rerank_seconds = rerank_seconds
        self._added = 0
        self._ids: set[Hashable] = set()

    def add_document(self, document: LooseDocument) -> None:
        """Make one document findable in every index."""
        self.add_documents([document])

    def add_documents(self, documents: Sequence[LooseDocument]) -> None:
        """Make documents findable in every index; the dicts given are not changed."""
        self._ids.update(document["id"] for document in documents if _has_id(document))
        named = [self._named(document) for document in documents]
        for index in self._indexes:
            index.add_documents(named)

    def search(self, query: Any, k: int = 1) -> list[Scored]:
        """At most `k` documents with their fused scores, best first, none twice.

        The score is the sum over the indexes of 1 / (k_rrf + rank), each times its weight. With a reranker
        the order is its choice among the best 20 (or `k`, if that is more); the scores stay the fusion's.

        Raises:
            ValueError: `k` is less than 1.
        """
        if k < 1:
            raise ValueError(f"Cannot search for {k} documents: ask for at least 1.")
        found: dict[Hashable, LooseDocument] = {}
        rankings = []
        for index in self._indexes:
            depth = max(_DEPTH, _DEPTH_PER_RESULT * k)
            ranking: dict[Hashable, LooseDocument] = {}
            for document, _ in index.search(query, k=depth):
                ranking.setdefault(_key(document), document)
            found = ranking | found
            rankings.append(list(ranking))
        scores = dict(reciprocal_rank_fusion(rankings, k=self._k_rrf, weights=self._weights))
        order = list(scores)
        if self._reranker is not None:
            order = self._rerank(self._reranker, [(key, found[key]) for key in order], query, k)
        return [(found[key], scores[key]) for key in order[:k]]

    def _rerank(
        self, reranker: Reranker, fused: list[tuple[Hashable, LooseDocument]], query: Any, k: int
    ) -> list[Hashable]:
        candidates = [
            {"content": document_text(document), **document, "id": key}
            for key, document in fused[: max(k, RERANKED)]
        ]
        return rerank(reranker, candidates, str(query), k, seconds=self._rerank_seconds).ids

    def _named(self, document: LooseDocument) -> LooseDocument:
        self._added += 1
        if _has_id(document):
            return document
        while (name := f"document-{self._added}") in self._ids:
            self._added += 1
        self._ids.add(name)
        return {**document, "id": name}


def _has_id(document: LooseDocument) -> bool:
    return document.get("id") is not None


def _key(document: LooseDocument) -> Hashable:
    return document["id"] if _has_id(document) else document_text(document)

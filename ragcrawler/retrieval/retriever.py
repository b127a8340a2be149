"""The specification's `Retriever`: several indexes as one (004)."""

from collections.abc import Hashable, Sequence

from ragcrawler.retrieval.rerank import RERANKED, Reranker, reranked_ids
from ragcrawler.retrieval.search_index import LooseDocument, Scored, SearchIndex, document_text
from ragcrawler.stores.candidates import candidate_depth
from ragcrawler.stores.fusion import RRF_K, reciprocal_rank_fusion


class Retriever:
    """Hands documents to every index, and fuses what they find by reciprocal rank fusion.

    It is itself a `SearchIndex`. Documents are told apart by their "id"; one that is added here without any
    gets the next "document-<n>", so that every index and the reranker know the same one; one that was put
    into an index directly is known by its text.
    """

    def __init__(self, *indexes: SearchIndex, k_rrf: float = RRF_K, reranker: Reranker | None = None) -> None:
        """Combine `indexes`; a higher `k_rrf` lets low ranks count for more.

        Raises:
            ValueError: there is no index, or `k_rrf` is negative.
        """
        if not indexes:
            raise ValueError("A Retriever needs at least one index: Retriever(BM25Index(), ...).")
        if k_rrf < 0:
            raise ValueError(f"k_rrf is {k_rrf}: it must not be negative; 60 is usual.")
        self._indexes = indexes
        self._k_rrf = k_rrf
        self._reranker = reranker
        self._added = 0

    def add_document(self, document: LooseDocument) -> None:
        """Make one document findable in every index."""
        self.add_documents([document])

    def add_documents(self, documents: Sequence[LooseDocument]) -> None:
        """Make documents findable in every index; the mappings given are not changed."""
        named = [self._named(document) for document in documents]
        for index in self._indexes:
            index.add_documents(named)

    def search(self, query: str, k: int = 1) -> list[Scored]:
        """At most `k` documents with their fused scores, best first, none twice.

        With a reranker the order is the reranker's choice among the best 20 (or `k`, if that is more); the
        scores stay those of the fusion.

        Raises:
            ValueError: `k` is less than 1.
        """
        if k < 1:
            raise ValueError(f"Cannot search for {k} documents: ask for at least 1.")
        found: dict[Hashable, LooseDocument] = {}
        rankings = []
        for index in self._indexes:
            ranking = {_key(document): document for document, _ in index.search(query, k=candidate_depth(k))}
            found = ranking | found
            rankings.append(list(ranking))
        fused = reciprocal_rank_fusion(rankings, k=self._k_rrf)
        if self._reranker is not None:
            scores = dict(fused[: max(k, RERANKED)])
            candidates = [{"id": each, **found[each]} for each in scores]
            chosen = reranked_ids(self._reranker, candidates, query, k)
            fused = [(each, scores[each]) for each in chosen]
        return [(found[each], score) for each, score in fused[:k]]

    def _named(self, document: LooseDocument) -> LooseDocument:
        self._added += 1
        return document if "id" in document else {"id": f"document-{self._added}", **document}


def _key(document: LooseDocument) -> Hashable:
    return document["id"] if "id" in document else document_text(document)

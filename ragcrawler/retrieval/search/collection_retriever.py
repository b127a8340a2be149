"""Questions to a crawled collection: the retriever that `scrapy search` and programs use."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, Self, TypeVar, get_args

from ragcrawler.items import SparseVector, chunk_record, tokens_of
from ragcrawler.retrieval.reranking.rerank import RERANKED, Reranker, rerank
from ragcrawler.retrieval.search.expansion import Expander, other_wordings, search_wordings
from ragcrawler.retrieval.search.query_plan import QueryPlan
from ragcrawler.retrieval.search.search_options import RetrievalMode, SearchOptions
from ragcrawler.stores import Hit, ReadableStore, StoreError
from ragcrawler.stores.filters import Filters, read_filters
from ragcrawler.stores.search_request import Leg, Ranking, SearchRequest

VectorT_co = TypeVar("VectorT_co", covariant=True)


class QueryEmbedder(Protocol[VectorT_co]):
    """The half of an embedder that questions need."""

    def embed_query(self, text: str) -> VectorT_co:
        """The vector of a question."""


@dataclass(frozen=True, slots=True)
class Found:
    """The hits of a search, and how they were found.

    Attributes:
        hits: best first, no chunk twice.
        reranked: whether the order is the reranker's.
        rerank_failure: why it is not, where there is a reranker; else "".
    """

    hits: list[Hit]
    reranked: bool = False
    rerank_failure: str = ""


class CollectionRetriever:
    """Searches a store with the embedders of its models; owns the store and closes it.

    As thread-safe as the store.
    """

    def __init__(
        self,
        store: ReadableStore,
        dense: QueryEmbedder[Sequence[float]],
        sparse: QueryEmbedder[SparseVector],
        *,
        reranker: Reranker | None = None,
        expander: Expander | None = None,
        options: SearchOptions | None = None,
    ) -> None:
        """Search `store`; a mode asks only the embedders that it needs, `options` stand in for none."""
        self._store = store
        self._dense = dense
        self._sparse = sparse
        self._reranker = reranker
        self._expander = expander
        self._options = options or SearchOptions()

    @property
    def store(self) -> ReadableStore:
        """The collection that is searched."""
        return self._store

    @property
    def options(self) -> SearchOptions:
        """The options of a search that is given none."""
        return self._options

    def search(
        self,
        query: str,
        k: int = 10,
        *,
        mode: RetrievalMode = "hybrid",
        filters: Filters | None = None,
        options: SearchOptions | None = None,
    ) -> list[Hit]:
        """At most `k` hits, best first, no chunk twice; each unpacks as `(chunk, score)`.

        What a score is depends on the mode, see `Hit`. With a reranker the order is the reranker's choice
        among the best 20, or `k` if that is more; the scores stay.

        Raises:
            StoreError: there is no collection, or a filter or an option is invalid.
            ValueError: there is no such mode, the query is empty, or `k` is less than 1.
        """
        return self.find(query, k, mode=mode, filters=filters, options=options).hits

    def find(
        self,
        query: str,
        k: int = 10,
        *,
        mode: RetrievalMode = "hybrid",
        filters: Filters | None = None,
        options: SearchOptions | None = None,
    ) -> Found:
        """The same as `search`, and how the order came about."""
        if mode not in get_args(RetrievalMode):
            raise ValueError(f"There is no mode {mode!r}: choose {', '.join(get_args(RetrievalMode))}.")
        if not query.strip():
            raise ValueError("The query is empty: ask for something.")
        if k < 1:
            raise ValueError(f"Cannot search for {k} hits: ask for at least 1.")
        options = options or self._options
        plan = QueryPlan.of(query)
        # Made before another wording is asked for: what cannot be searched is refused first.
        requests = [self.request(plan, k, mode, filters, options)]
        others = other_wordings(self._expander, plan.text, options.model_seconds)
        requests += [self.request(QueryPlan.of(each), k, mode, filters, options) for each in others]
        if self._reranker is None:
            return Found(search_wordings(self._store, requests))
        return self._rerank(self._reranker, plan.text, requests, options.model_seconds)

    def close(self) -> None:
        """Close the store; calling it twice is fine."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def request(
        self, plan: QueryPlan, k: int, mode: RetrievalMode, filters: Filters | None, options: SearchOptions
    ) -> SearchRequest:
        """The search that a query becomes, without reranker and other wordings.

        Raises:
            StoreError: there is no collection, or a filter or an option is invalid.
            ValueError: no ranking has a weight.
        """
        conditions = read_filters(filters)
        models = self._store.models()
        if models is None:
            raise StoreError(
                f"The collection {self._store.location!r} does not exist. Crawl something into it first."
            )
        options = options.for_query(plan, has_tokens=bool(models.tokens))
        rankings = tuple(self._ranking(plan, *leg) for leg in options.legs(mode).items())
        token_weight = options.weight("tokens", mode)
        return SearchRequest(
            rankings=rankings,
            limit=k,
            words=plan.words,
            document_weight=options.weight("document", mode),
            link_weight=0.0 if plan.is_question else options.weight("links", mode),
            tokens=self._tokens(plan, rankings) if token_weight else (),
            token_weight=token_weight,
            listing_weight=0.0 if plan.names_version else options.weight("listing", mode),
            page_weight=options.weight("page", mode),
            offset=options.offset,
            filters=conditions,
            fusion=options.fusion,
            k_rrf=options.k_rrf,
            depth=options.depth,
            per_document=options.per_document,
            diversity=options.diversity,
            score_threshold=options.score_threshold,
        )

    def _ranking(self, plan: QueryPlan, leg: Leg, weight: float) -> Ranking:
        if leg == "dense":
            return Ranking(leg, self._dense.embed_query(plan.text), weight)
        vector = plan.words if leg == "bm25" else self._sparse.embed_query(plan.text)
        return Ranking(leg, vector, weight)

    def _tokens(self, plan: QueryPlan, rankings: Sequence[Ranking]) -> tuple[bytes, ...]:
        """The vectors of the question's tokens, of the dense ranking's run where there is one."""
        made = [each.vector for each in rankings if not isinstance(each.vector, SparseVector)]
        return tokens_of(made[0] if made else self._dense.embed_query(plan.text))

    def _rerank(
        self, reranker: Reranker, query: str, requests: Sequence[SearchRequest], seconds: float
    ) -> Found:
        offset, wanted = requests[0].offset, requests[0].wanted
        deeper = [replace(each, offset=0, limit=max(wanted, RERANKED)) for each in requests]
        by_id = {hit.chunk.id: hit for hit in search_wordings(self._store, deeper)}
        records = [chunk_record(hit.chunk) for hit in by_id.values()]
        outcome = rerank(reranker, records, query, wanted, seconds=seconds)
        found = [by_id[each] for each in outcome.ids[offset:wanted]]
        return Found(found, bool(found) and not outcome.failure, outcome.failure)

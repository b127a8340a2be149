"""Search the collection."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from ragcrawler.bootstrap.start_error import StartError
from ragcrawler.config.errors import SettingError
from ragcrawler.config.models.search import hybrid_weights
from ragcrawler.embedding.protocol import EmbeddingError
from ragcrawler.retrieval import Found, SearchOptions
from ragcrawler.retrieval.formatting.printable import printable
from ragcrawler.retrieval.passage import Context, Passage, context_within, passages, single_passages
from ragcrawler.retrieval.reranking.rerank import Reranker
from ragcrawler.retrieval.word_budget import within_words
from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.services.errors import InvalidRequestError, UnavailableError
from ragcrawler.server.services.forms import SearchForm
from ragcrawler.server.services.results import HitResult, SearchResult
from ragcrawler.server.services.sites import site_prefix
from ragcrawler.stores import StoreError
from ragcrawler.stores.errors import StoreAwayError, StoreBusyError, StoreDamagedError
from ragcrawler.stores.filters import read_filters


def search(collection: ServedCollection, form: SearchForm) -> SearchResult:
    """The hits for a question, best first.

    Raises:
        InvalidRequestError: a filter or an option is invalid.
        UnavailableError: the store or a model is.
    """
    found = find(collection, form)
    shown = found_passages(collection, found, form.context, form.budget)
    return SearchResult(
        query=printable(form.q),
        hits=[HitResult.of(rank, each) for rank, each in enumerate(shown, start=1 + form.offset)],
        reranked=found.reranked,
        rerank_failure=found.rerank_failure or None,
        is_empty=not found.hits and not collection.store.models(),
    )


def find(collection: ServedCollection, form: SearchForm) -> Found:
    """The hits as the store gives them; none while there is no collection."""
    options = _options(collection.options, form)
    filters = search_filters(collection, form.filter, form.site)
    retriever = collection.retriever(reranker=_reranker(collection, form))
    if retriever is None:
        return Found([])
    with answer_errors():
        return retriever.find(form.q, form.limit, mode=form.mode, filters=filters, options=options)


@contextmanager
def answer_errors() -> Iterator[None]:
    """Tell what is wrong with a question from what is wrong with the collection or a model.

    Raises:
        InvalidRequestError: the question does not fit the collection.
        UnavailableError: the store or a model is.
    """
    try:
        yield
    except (StoreAwayError, StoreBusyError, StoreDamagedError, StartError, EmbeddingError) as error:
        raise UnavailableError(str(error)) from error
    except (StoreError, ValueError) as error:
        raise InvalidRequestError(str(error)) from error


def found_passages(
    collection: ServedCollection, found: Found, context: Context | None, budget: int
) -> Sequence[Passage]:
    """The hits, with as many neighbours and as few words as was asked for.

    Raises:
        UnavailableError: the store is.
    """
    if context is None:
        context = context_within(budget)
    if not context and not budget:
        return single_passages(found.hits)
    with answer_errors():
        made = passages(collection.store, found.hits, context)
    return within_words(made, budget) if budget else made


def search_filters(collection: ServedCollection, filters: Sequence[str], site: str) -> list[str]:
    """The conditions of a request, checked.

    Raises:
        InvalidRequestError: one of them is no condition.
    """
    wanted = [*filters, *([f"source_url^={site_prefix(collection, site)}"] if site else [])]
    try:
        read_filters(wanted)
    except StoreError as error:
        raise InvalidRequestError(str(error)) from error
    return wanted


def _reranker(collection: ServedCollection, form: SearchForm) -> Reranker | None:
    if form.rerank == "cross-encoder":
        return collection.cross_encoder
    return None if form.rerank == "none" else collection.free_reranker


def _options(options: SearchOptions, form: SearchForm) -> SearchOptions:
    try:
        weights = hybrid_weights(form.weights, "weights") if form.weights else options.weights
    except SettingError as error:
        raise InvalidRequestError(str(error)) from error
    return replace(
        options,
        weights=weights,
        fusion=form.fusion or options.fusion,
        offset=form.offset,
        per_document=form.per_document,
        diversity=form.diversity,
        score_threshold=form.threshold,
    )

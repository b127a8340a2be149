"""Answers of the language model: the one service that can cost money."""

from ragcrawler.llm.protocol import LanguageModelError
from ragcrawler.retrieval.answering.answer import answer
from ragcrawler.retrieval.formatting.answer_lines import answer_record
from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.services.errors import UnavailableError
from ragcrawler.server.services.forms import AskForm
from ragcrawler.server.services.results import AnswerResult, clean
from ragcrawler.server.services.search import answer_errors, found_passages, search_filters


def ask(collection: ServedCollection, form: AskForm) -> AnswerResult:
    """An answer from what is found, with checked quotes; without sources the model is not asked.

    Raises:
        InvalidRequestError: a filter is invalid.
        UnavailableError: there is no language model, it gave no answer, or the store is away.
    """
    model = collection.language_model
    filters = search_filters(collection, form.filter, form.site)
    retriever = collection.retriever(reranker=collection.paid_reranker, expander=collection.expander)
    shown = []
    if retriever is not None:
        with answer_errors():
            found = retriever.find(form.question, form.limit, mode=form.mode, filters=filters)
        shown = list(found_passages(collection, found, form.context, form.budget))
    try:
        given = answer(model, form.question, shown)
    except LanguageModelError as error:
        raise UnavailableError(str(error)) from error
    return AnswerResult.model_validate(clean(answer_record(given)))

"""Reranking: a second, slower look at the best candidates (specification 004)."""

import logging
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from ragcrawler.retrieval.search.search_index import LooseDocument
from ragcrawler.retrieval.time_limit import call_with_timeout

_logger = logging.getLogger(__name__)

RERANKED = 20
"""How many candidates a reranker is shown, or k where that is more."""

RERANK_SECONDS = 30.0
"""How long a reranker may take where nothing else is said."""

Reranker = Callable[[list[LooseDocument], str, int], Sequence[Any]]
"""Takes the candidates, each with "id" and "content", the query and k; gives ids, most relevant first."""


@dataclass(frozen=True, slots=True)
class Reranked:
    """The candidates in the order that stands.

    Attributes:
        ids: every candidate's id once.
        failure: why the order is the one that was given, "" where the reranker made it.
    """

    ids: list[Any]
    failure: str = ""


def rerank(
    reranker: Reranker, documents: Sequence[LooseDocument], query: str, k: int, *, seconds: float
) -> Reranked:
    """Ask the reranker for the best `k` of the documents; what it does not name follows in the order given.

    A reranker that fails, takes too long or answers nonsense changes nothing, with a warning: a slower
    look is worth less than an answer. Ids count by their text, so "7" names document 7.
    """
    given = [document["id"] for document in documents]
    if not given:
        return Reranked([])
    try:
        answer = call_with_timeout(seconds, lambda: _read(reranker(list(documents), query, k)))
    except Exception as error:  # noqa: BLE001  # whatever a model, its client or its network comes up with
        failure = f"the reranker failed ({type(error).__name__}: {error})"
        return _unchanged(given, failure)
    shown = {str(each): each for each in given}
    invented = [each for each in answer if each not in shown]
    if invented:
        _logger.warning(
            "The reranker named %d documents that it was not shown: %s", len(invented), invented[:3]
        )
    chosen: dict[Hashable, None] = dict.fromkeys(shown[each] for each in answer if each in shown)
    if not chosen:
        return _unchanged(given, "the reranker named none of the documents")
    return Reranked([*chosen, *(each for each in given if each not in chosen)])


def _read(answer: Sequence[Any]) -> list[str]:
    if isinstance(answer, str | bytes) or not isinstance(answer, Sequence):
        raise TypeError(f"it answered {type(answer).__name__}, not a list of ids")
    return list(dict.fromkeys(map(str, answer)))


def _unchanged(given: list[Any], failure: str) -> Reranked:
    _logger.warning("The order stays as it was: %s.", failure)
    return Reranked(given, failure)

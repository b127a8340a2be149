"""Reranking: a second, slower look at the best candidates (specification 004)."""

import logging
from collections.abc import Callable, Sequence
from typing import Any

from ragcrawler.retrieval.search_index import LooseDocument

_logger = logging.getLogger(__name__)

RERANKED = 20
"""How many candidates a reranker is shown, or k where that is more."""

Reranker = Callable[[list[LooseDocument], str, int], Sequence[Any]]
"""Takes the candidates, each with "id" and its text, the query and k; gives ids, most relevant first."""


def reranked_ids(reranker: Reranker, documents: Sequence[LooseDocument], query: str, k: int) -> list[Any]:
    """The ids that the reranker chose, at most `k`; each once, and only of documents that it was shown.

    A language model may name what it was not shown: that is left out, with a warning.
    """
    shown = {str(document["id"]): document["id"] for document in documents}
    chosen = list(dict.fromkeys(map(str, reranker(list(documents), query, k))))
    invented = [each for each in chosen if each not in shown]
    if invented:
        _logger.warning(
            "The reranker named %d documents that it was not shown: %s", len(invented), invented[:3]
        )
    return [shown[each] for each in chosen if each in shown][:k]

"""Tune the weights of hybrid searches on a set of judged queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ragcrawler.bootstrap.start_error import StartError
from ragcrawler.maintenance.evaluation import open_evaluation
from ragcrawler.retrieval.evaluation.collection_search import CollectionSearch
from ragcrawler.retrieval.evaluation.judged import JudgedQuery
from ragcrawler.retrieval.evaluation.tuning import LEAST_QUERIES, Tuning, tune


@dataclass(frozen=True, slots=True)
class Tuned:
    """What tuning found, and on what.

    Attributes:
        queries: those that were asked.
        drafted: how many were left out, since a program wrote them.
        by_question_weights: how many were left out, since `QUESTION_WEIGHTS` ranks them.
        models: whose vectors were searched.
        tuning: None where the queries are too few.
    """

    queries: Sequence[JudgedQuery]
    drafted: int
    by_question_weights: int
    models: str
    tuning: Tuning | None


def tune_weights(path: Path, qrels: Path | None = None, **settings: object) -> Tuned:
    """Ask each query once, and rank its candidates by many weights.

    Args:
        path: a file of queries, or a folder with a corpus of its own; see `measure`.
        qrels: judgements of the file's queries.
        settings: by their names.

    Raises:
        QuerySetError: the queries cannot be read.
        StartError: a setting is wrong, there is no such collection, or its token vectors count in
            `HYBRID_WEIGHTS`.
    """
    with open_evaluation(path, qrels, settings) as (search, queries):
        asked = [query for query in queries if query.relevant and not query.is_drafted]
        mine = [query for query in asked if not search.is_by_question_weights(query)]
        return Tuned(
            queries=mine,
            drafted=sum(query.is_drafted for query in queries),
            by_question_weights=len(asked) - len(mine),
            models=search.models,
            tuning=_tuning(search, mine) if len(mine) >= LEAST_QUERIES else None,
        )


def _tuning(search: CollectionSearch, queries: Sequence[JudgedQuery]) -> Tuning:
    today = search.weights
    if today.get("tokens"):
        raise StartError("HYBRID_WEIGHTS counts token vectors, which tuning does not: leave tokens out of it")
    return tune(queries, [search.quality(query) for query in queries], today)

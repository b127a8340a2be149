"""Tune the weights of hybrid searches on a set of judged queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ragcrawler.maintenance.evaluation import open_evaluation
from ragcrawler.retrieval.evaluation.collection_search import CollectionSearch
from ragcrawler.retrieval.evaluation.judged import JudgedQuery
from ragcrawler.retrieval.evaluation.tuning import GRID, LEAST_QUERIES, TOKEN_GRID, Tuning, Weights, tune

WeightSetting = Literal["HYBRID_WEIGHTS", "QUESTION_WEIGHTS"]


@dataclass(frozen=True, slots=True)
class TunedSetting:
    """What tuning found for one setting.

    Attributes:
        setting: its name.
        queries: that it ranks.
        tuning: None where they are too few.
    """

    setting: WeightSetting
    queries: Sequence[JudgedQuery]
    tuning: Tuning | None


@dataclass(frozen=True, slots=True)
class Tuned:
    """What tuning found, and on what.

    Attributes:
        settings: those that rank any of the queries.
        drafted: how many queries were left out, since a program wrote them.
        models: whose vectors were searched.
    """

    settings: Sequence[TunedSetting]
    drafted: int
    models: str


def tune_weights(path: Path, qrels: Path | None = None, **settings: object) -> Tuned:
    """Ask each query once, and rank its candidates by many weights.

    Questions to a collection with token vectors are ranked by `QUESTION_WEIGHTS`, and tune these.

    Args:
        path: a file of queries, or a folder with a corpus of its own; see `measure`.
        qrels: judgements of the file's queries.
        settings: by their names.

    Raises:
        QuerySetError: the queries cannot be read.
        StartError: a setting is wrong, or there is no such collection.
    """
    with open_evaluation(path, qrels, settings) as (search, queries):
        asked = [query for query in queries if query.relevant and not query.is_drafted]
        questions = [query for query in asked if search.is_by_question_weights(query)]
        others = [query for query in asked if not search.is_by_question_weights(query)]
        tuned = [
            _tuned("HYBRID_WEIGHTS", search.weights, search, others),
            _tuned("QUESTION_WEIGHTS", search.question_weights, search, questions),
        ]
        return Tuned(
            settings=[each for each in tuned if each.queries],
            drafted=sum(query.is_drafted for query in queries),
            models=search.models,
        )


def _tuned(
    setting: WeightSetting, today: Weights, search: CollectionSearch, queries: Sequence[JudgedQuery]
) -> TunedSetting:
    if len(queries) < LEAST_QUERIES:
        return TunedSetting(setting, queries, None)
    grid = TOKEN_GRID if setting == "QUESTION_WEIGHTS" else GRID
    if setting == "HYBRID_WEIGHTS" and today.get("tokens"):
        grid = {**TOKEN_GRID, "links": GRID["links"]}
    return TunedSetting(
        setting, queries, tune(queries, [search.quality(query) for query in queries], today, grid)
    )

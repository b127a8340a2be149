"""Metrics of one ranking against what was judged relevant; all from 0 to 1, higher is better.

A ranking names what was found, best first, nothing twice; grades say how relevant each is, what is missing
or 0 is not. They are those of trec_eval: https://github.com/usnistgov/trec_eval.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from ragcrawler.retrieval.evaluation.judged import Grades

Ranking = Sequence[str]
Metric = Callable[[Ranking, Grades], float]


def ndcg(ranking: Ranking, grades: Grades, k: int) -> float:
    """Normalised discounted cumulative gain: the grade is the gain (linear), 1 / log2(rank + 1) the discount.

    It is divided by that of the best ranking there could be; 0 where nothing is relevant. Source: Järvelin
    and Kekäläinen, "Cumulated Gain-Based Evaluation of IR Techniques" (2002).
    """
    best = _gain(sorted(grades.values(), reverse=True)[:k])
    return _gain([grades.get(each, 0) for each in ranking[:k]]) / best if best else 0.0


def recall(ranking: Ranking, grades: Grades, k: int) -> float:
    """The share of what is relevant that is among the best `k`."""
    wanted = _relevant(grades)
    return len(wanted.intersection(ranking[:k])) / len(wanted) if wanted else 0.0


def reciprocal_rank(ranking: Ranking, grades: Grades, k: int) -> float:
    """1 / rank of the first relevant one, 0 where none is among the best `k`."""
    wanted = _relevant(grades)
    return next((1 / rank for rank, each in enumerate(ranking[:k], start=1) if each in wanted), 0.0)


def success(ranking: Ranking, grades: Grades, k: int) -> float:
    """1 where anything relevant is among the best `k`."""
    return float(not _relevant(grades).isdisjoint(ranking[:k]))


METRICS: Mapping[str, Metric] = {
    "nDCG@10": partial(ndcg, k=10),
    "recall@10": partial(recall, k=10),
    "MRR@10": partial(reciprocal_rank, k=10),
    "success@1": partial(success, k=1),
    "success@5": partial(success, k=5),
}
"""Those that are reported, by their names; the first decides."""


def _gain(grades: Sequence[int]) -> float:
    return math.fsum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, start=1))


def _relevant(grades: Grades) -> set[str]:
    return {each for each, grade in grades.items() if grade > 0}

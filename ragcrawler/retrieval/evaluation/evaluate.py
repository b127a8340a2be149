"""Modes side by side on the same queries, and whether a difference between two is one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ragcrawler.retrieval.evaluation.judged import JudgedQuery
from ragcrawler.retrieval.evaluation.metrics import METRICS, Ranking
from ragcrawler.retrieval.evaluation.resampling import Estimate, estimate, randomisation_test
from ragcrawler.retrieval.search.search_options import RetrievalMode

_LOOKED_AT = 10

Search = Callable[[JudgedQuery, RetrievalMode], Sequence[str]]
"""The documents that a query finds in a mode, named as in its grades, best first, each once."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The values of every metric for every query, in the order of the queries, by mode.

    Attributes:
        values: by mode and metric.
        unjudged: by mode, how many of the ten best of each query were not judged; they count as not relevant.
    """

    values: Mapping[RetrievalMode, Mapping[str, tuple[float, ...]]]
    unjudged: Mapping[RetrievalMode, tuple[int, ...]] = field(default_factory=dict)

    def estimate(self, mode: RetrievalMode, metric: str) -> Estimate:
        """A metric's mean in a mode, with its interval."""
        return estimate(self.values[mode][metric])

    def best_single(self, metric: str) -> RetrievalMode | None:
        """The best mode that fuses nothing; None where there is none."""
        single = [mode for mode in self.values if mode != "hybrid"]
        return max(single, key=lambda mode: sum(self.values[mode][metric]), default=None)


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of two ways of searching on the same queries, and its probability by chance."""

    estimate: Estimate
    probability: float


def evaluate(search: Search, queries: Sequence[JudgedQuery], modes: Sequence[RetrievalMode]) -> Evaluation:
    """Ask every query in every mode."""
    rankings = {mode: [search(query, mode) for query in queries] for mode in modes}
    return Evaluation(
        {mode: _values(found, queries) for mode, found in rankings.items()},
        {mode: _unjudged(found, queries) for mode, found in rankings.items()},
    )


def compare(values: Sequence[float], others: Sequence[float]) -> Difference:
    """The first minus the second, query by query.

    Raises:
        ValueError: they are not of the same queries, or of none.
    """
    differences = [one - other for one, other in zip(values, others, strict=True)]
    return Difference(estimate(differences), randomisation_test(differences))


def _unjudged(rankings: Sequence[Ranking], queries: Sequence[JudgedQuery]) -> tuple[int, ...]:
    return tuple(
        sum(each not in query.grades for each in ranking[:_LOOKED_AT])
        for ranking, query in zip(rankings, queries, strict=True)
    )


def _values(rankings: Sequence[Ranking], queries: Sequence[JudgedQuery]) -> dict[str, tuple[float, ...]]:
    return {
        name: tuple(metric(ranking, query.grades) for ranking, query in zip(rankings, queries, strict=True))
        for name, metric in METRICS.items()
    }

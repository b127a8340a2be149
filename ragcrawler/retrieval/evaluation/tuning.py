"""Weights for one's own queries, chosen on some of them and measured on the others."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ragcrawler.retrieval.evaluation.evaluate import Difference, compare
from ragcrawler.retrieval.evaluation.judged import JudgedQuery
from ragcrawler.retrieval.search.search_options import HybridPart

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEAST_QUERIES = 30
"""With fewer the interval of a difference is seldom narrower than any gain that weights have brought."""

# Values of parts left out are not independent: one choice serves several parts. Of made values without any
# gain (40 and 200 queries, 30 and 289 points, independent and correlated) 2.5 % should pass an interval
# above zero. 8 to 12 % did with ten parts, 5 to 9 % with three, 2 to 4 % with a probability under .01 too.
_FOLDS = 3
_LEAST_PROBABLE = 0.01

Weights = Mapping[HybridPart, float]

Grid = Mapping[HybridPart, Sequence[float]]

GRID: Grid = {
    "dense": (1.0,),
    "bm25": (0.0, 0.25, 0.5, 1.0),
    "sparse": (0.0, 0.25, 0.5),
    "document": (0.0, 0.35, 0.7, 1.4),
    "links": (0.0, 0.7),
    "listing": (0.0, 0.2),
    "page": (0.0, 0.05),
}
"""The weights that are tried, each with each: 384."""

TOKEN_GRID: Grid = {
    "dense": (1.0,),
    "bm25": (0.0, 0.2, 0.4),
    "sparse": (0.0, 0.2),
    "document": (0.0, 0.35, 0.7),
    "tokens": (0.0, 0.5, 1.0, 1.5),
    "listing": (0.0, 0.2),
    "page": (0.0, 0.05),
}
"""The same where token vectors count: 288."""


Quality = Callable[[Weights], float]
"""The quality of one query's ranking by any weights: 0 to 1, higher is better."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """What tuning found.

    Attributes:
        folds: into how many parts the queries were divided.
        is_by_site: whether a part is a site; else each is a third of the queries.
        before: the quality of each query by today's weights.
        after: the same by the weights that were best on the other parts.
        today: the weights of today.
        best: those that are best on all queries.
    """

    folds: int
    is_by_site: bool
    before: tuple[float, ...]
    after: tuple[float, ...]
    today: Weights
    best: Weights

    @property
    def gain(self) -> Difference:
        """Of the parts left out."""
        return compare(self.after, self.before)

    @property
    def holds(self) -> bool:
        """Whether other weights are better, beyond the interval and hardly by chance."""
        gain = self.gain
        return gain.estimate.low > 0 and gain.probability < _LEAST_PROBABLE and self.best != self.today


def tune(
    queries: Sequence[JudgedQuery], qualities: Sequence[Quality], today: Weights, grid: Grid = GRID
) -> Tuning:
    """Leave out each part of the queries, choose weights on the others, and measure them on it.

    Of equally good weights today's come first.

    Args:
        queries: at least `LEAST_QUERIES`.
        qualities: of these queries, in their order.
        today: the weights that hold now; they are tried too.
        grid: by part, the weights to try.

    Raises:
        ValueError: there are too few queries.
    """
    import numpy as np

    if len(queries) < LEAST_QUERIES:
        raise ValueError(f"Cannot tune on {len(queries)} queries: give at least {LEAST_QUERIES}.")
    points = [today, *_points(grid)]
    values = np.asarray([[quality(point) for quality in qualities] for point in points])
    sites = _sites(queries)
    parts = np.asarray(sites) if sites else np.arange(len(queries)) % _FOLDS
    after = np.empty(len(queries))
    for part in np.unique(parts):
        left_out = parts == part
        after[left_out] = values[_best(values[:, ~left_out])][left_out]
    return Tuning(
        folds=len(np.unique(parts)),
        is_by_site=bool(sites),
        before=tuple(map(float, values[0])),
        after=tuple(map(float, after)),
        today=today,
        best=points[_best(values)],
    )


def written_weights(weights: Weights) -> str:
    """As a setting has them: "dense=1,bm25=0.5"."""
    return ",".join(f"{part}={weight:g}" for part, weight in weights.items())


def _points(grid: Grid) -> Iterator[Weights]:
    for values in product(*grid.values()):
        yield dict(zip(grid, values, strict=True))


def _best(values: "NDArray[np.float64]") -> int:
    """The row with the highest mean, the first of equal ones; rounding makes no difference."""
    return int(values.mean(axis=1).round(12).argmax())


def _sites(queries: Sequence[JudgedQuery]) -> list[str]:
    """The host of what is relevant to each query; none where one has more than half of the queries."""
    hosts = [urlsplit(query.relevant[0]).netloc for query in queries]
    return hosts if max(Counter(hosts).values()) <= len(hosts) / 2 else []

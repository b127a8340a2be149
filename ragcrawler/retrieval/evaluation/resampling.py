"""How much a mean over queries says: intervals and tests by resampling, the same on every run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_SEED = 0
_RESAMPLES = 2_000
_FLIPS = 10_000
_VALUES_AT_ONCE = 1_000_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and the interval that holds 95 % of the means of its resamples."""

    mean: float
    low: float
    high: float


def estimate(values: Sequence[float]) -> Estimate:
    """The mean over queries with its percentile bootstrap interval.

    Source: Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13.

    Raises:
        ValueError: there are no values.
    """
    import numpy as np

    if not values:
        raise ValueError("There is nothing to estimate: give at least one value.")
    observed = np.asarray(values, dtype=np.float64)
    random = np.random.default_rng(_SEED)
    size = len(observed)
    means = np.concatenate(
        [observed[random.integers(size, size=(rows, size))].mean(axis=1) for rows in _rows(_RESAMPLES, size)]
    )
    low, high = np.quantile(means, (0.025, 0.975))
    return Estimate(float(observed.mean()), float(low), float(high))


def randomisation_test(differences: Sequence[float]) -> float:
    """How probable a mean difference at least as great is, to either side, where the two are alike.

    The two-sided paired randomisation test: signs are flipped at random 10,000 times. Source: Smucker, Allan
    and Carterette, "A Comparison of Statistical Significance Tests for Information Retrieval Evaluation"
    (CIKM 2007).

    Raises:
        ValueError: there are no differences.
    """
    import numpy as np

    if not differences:
        raise ValueError("There is nothing to test: give at least one difference.")
    observed = np.asarray(differences, dtype=np.float64)
    random = np.random.default_rng(_SEED)
    least = abs(observed.sum()) - 1e-12  # the same sum in another order of its parts counts as great
    as_great = 0
    for rows in _rows(_FLIPS, len(observed)):
        signs = 2 * random.integers(2, size=(rows, len(observed)), dtype=np.int8) - 1
        as_great += int((abs(signs @ observed) >= least).sum())
    return (1 + as_great) / (1 + _FLIPS)


def _rows(total: int, size: int) -> Iterator[int]:
    """How many resamples of a size are drawn at once: memory holds a million values."""
    at_once = max(1, _VALUES_AT_ONCE // size)
    while total > 0:
        yield min(at_once, total)
        total -= at_once

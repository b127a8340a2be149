"""An evaluation as text and as JSON types."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ragcrawler.retrieval.evaluation.evaluate import Difference, Evaluation, compare
from ragcrawler.retrieval.evaluation.metrics import METRICS

_MODE_WIDTH = 8
_CELL_WIDTH = 18
_DECIDING = next(iter(METRICS))


def evaluation_lines(evaluation: Evaluation) -> Iterator[str]:
    """A table: a row a mode, each mean with its interval."""
    yield _row("", METRICS)
    for mode in evaluation.values:
        cells = (evaluation.estimate(mode, metric) for metric in METRICS)
        yield _row(mode, (f"{_short(each.mean)} [{_short(each.low)}, {_short(each.high)}]" for each in cells))


def fusion_line(evaluation: Evaluation) -> str:
    """The gain of fusion over the best single ranking; "" where one of them is missing."""
    best = evaluation.best_single(_DECIDING)
    if best is None or "hybrid" not in evaluation.values:
        return ""
    difference = compare(evaluation.values["hybrid"][_DECIDING], evaluation.values[best][_DECIDING])
    return f"hybrid against {best}, the best single ranking: {_DECIDING} {difference_text(difference)}"


def unjudged_line(evaluation: Evaluation) -> str:
    """How many of a query's ten best were not judged, on average, by mode."""
    cells = (f"{mode} {_mean(each):.1f}" for mode, each in evaluation.unjudged.items())
    return f"unjudged of the ten best, counted as not relevant: {', '.join(cells)}"


def unjudged_record(evaluation: Evaluation) -> dict[str, float]:
    """The same by mode."""
    return {mode: _mean(each) for mode, each in evaluation.unjudged.items()}


def difference_lines(evaluation: Evaluation, other: Evaluation) -> Iterator[str]:
    """A table: what `other` has over `evaluation` in each mode that both have, or "nothing"."""
    for mode, values in evaluation.values.items():
        if other.values.get(mode) == values:
            yield f"{mode:{_MODE_WIDTH}} nothing"
        elif mode in other.values:
            for metric in METRICS:
                difference = compare(other.values[mode][metric], values[metric])
                yield f"{mode:{_MODE_WIDTH}} {metric:10} {difference_text(difference)}"


def evaluation_record(evaluation: Evaluation) -> dict[str, Any]:
    """Means and intervals by mode and metric."""
    return {
        mode: {metric: _estimate(evaluation.estimate(mode, metric)) for metric in METRICS}
        for mode in evaluation.values
    }


def difference_record(evaluation: Evaluation, other: Evaluation) -> dict[str, Any]:
    """The gain of `other` over `evaluation`, by mode and metric, for the modes that both have."""
    record: dict[str, Any] = {}
    for mode in evaluation.values:
        if mode in other.values:
            record[mode] = {
                metric: _compared(compare(other.values[mode][metric], evaluation.values[mode][metric]))
                for metric in METRICS
            }
    return record


def _mean(counts: Sequence[int]) -> float:
    return sum(counts) / len(counts)


def _compared(difference: Difference) -> Mapping[str, float]:
    return {**_estimate(difference.estimate), "probability": difference.probability}


def _estimate(each: Any) -> dict[str, float]:
    return {"mean": each.mean, "low": each.low, "high": each.high}


def difference_text(difference: Difference) -> str:
    """The mean with its interval and probability."""
    each = difference.estimate
    return f"{each.mean:+.3f} [{each.low:+.3f}, {each.high:+.3f}], p = {difference.probability:.4f}"


def _row(first: str, cells: Any) -> str:
    return f"{first:{_MODE_WIDTH}} " + "  ".join(f"{cell:{_CELL_WIDTH}}" for cell in cells).rstrip()


def _short(value: float) -> str:
    """.712, and 1.00: four characters."""
    return f"{value:.3f}".removeprefix("0") if value < 1 else "1.00"

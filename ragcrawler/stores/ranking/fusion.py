"""Fusion: many rankings become one, by ranks or by scores."""

import math
from collections.abc import Hashable, Mapping, Sequence
from statistics import fmean, stdev
from typing import TypeVar

KeyT = TypeVar("KeyT", bound=Hashable)

RRF_K = 60
"""The constant of Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion", SIGIR 2009."""


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[KeyT]], *, k: float = RRF_K, weights: Sequence[float] | None = None
) -> list[tuple[KeyT, float]]:
    """Keys and scores, best first: score(d) = sum over the rankings that have d of w / (k + rank of d).

    Ranks count from 1 (specification 004); w is the ranking's weight, 1 where there are none. Equal scores
    stay in the order in which their keys were first seen, so the first ranking decides.
    """
    parts: dict[KeyT, list[float]] = {}
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        for rank, key in enumerate(ranking, start=1):
            parts.setdefault(key, []).append(weight / (k + rank))
    # Summed exactly: the same ranks in another order of the rankings are the same score to the last bit.
    scores = [(key, math.fsum(each)) for key, each in parts.items()]
    return sorted(scores, key=lambda item: -item[1])


def distribution_based_score_fusion(
    rankings: Sequence[Mapping[KeyT, float]], *, weights: Sequence[float] | None = None
) -> list[tuple[KeyT, float]]:
    """Keys and scores, best first: the sum of each ranking's scores, scaled by how they are spread.

    A score s becomes (s - (mean - 3 deviations)) / (6 deviations), or 0.5 where all of a ranking are equal,
    times the ranking's weight. It is Qdrant's DBSF: "Distribution-Based Score Fusion", M. Mazzeschi (2023).
    """
    parts: dict[KeyT, list[float]] = {}
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        for key, score in _scale(ranking).items():
            parts.setdefault(key, []).append(weight * score)
    return sorted(((key, math.fsum(each)) for key, each in parts.items()), key=lambda item: -item[1])


def _scale(ranking: Mapping[KeyT, float]) -> dict[KeyT, float]:
    deviation = stdev(ranking.values()) if len(ranking) > 1 else 0.0
    if not deviation:
        return dict.fromkeys(ranking, 0.5)
    low = fmean(ranking.values()) - 3 * deviation
    return {key: (score - low) / (6 * deviation) for key, score in ranking.items()}

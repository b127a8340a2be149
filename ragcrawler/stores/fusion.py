"""Reciprocal rank fusion: many rankings become one."""

import math
from collections.abc import Hashable, Sequence
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

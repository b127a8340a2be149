"""Reciprocal rank fusion: many rankings become one."""

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

KeyT = TypeVar("KeyT", bound=Hashable)

RRF_K = 60
"""The constant of Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion", SIGIR 2009."""


def reciprocal_rank_fusion(
    rankings: Iterable[Sequence[KeyT]], *, k: float = RRF_K
) -> list[tuple[KeyT, float]]:
    """Keys and scores, best first: score(d) = sum over the rankings that have d of 1 / (k + rank of d).

    Ranks count from 1 (specification 004). Equal scores stay in the order in which their keys were first
    seen, so the first ranking decides.
    """
    scores: dict[KeyT, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(ranking, start=1):
            scores[key] = scores.get(key, 0.0) + 1.0 / (k + rank)
    return sorted(scores.items(), key=lambda item: -item[1])

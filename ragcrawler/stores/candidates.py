"""How both engines are asked for candidates, and how their answers become the same ranking on every run."""

from collections.abc import Iterable

from ragcrawler.stores.fusion import RRF_K
from ragcrawler.stores.protocol import Hit

# The engines count ranks from 0 and score 1 / (k + rank); the specification counts from 1. One more makes
# both the same formula.
ENGINE_RRF_K = RRF_K + 1

_LEAST_DEPTH = 50
_DEPTH_PER_HIT = 4
_TIE_MARGIN = 8


def candidate_depth(limit: int) -> int:
    """How many chunks each vector proposes for a fused ranking of `limit`."""
    return max(_LEAST_DEPTH, _DEPTH_PER_HIT * limit)


def requested(limit: int) -> int:
    """How many hits to ask for: equal scores come in random order, so those at the end are cut here."""
    return limit + _TIE_MARGIN


def ranked(hits: Iterable[Hit], limit: int) -> list[Hit]:
    """The best `limit`, best first; equal scores by id, the same on every run."""
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk.id))[:limit]

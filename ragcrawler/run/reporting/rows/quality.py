"""Rows of the report on how likely the main content of HTML pages was found."""

from collections.abc import Mapping
from typing import Any

_PREFIX = "ragcrawler/convert/quality/"
_BANDS = (("high", 0.85), ("fair", 0.5), ("low", 0.0))
_WORDS = {"high": "0.85 to 1", "fair": "0.5 to 0.84", "low": "under 0.5: look at these"}


def quality_band(quality: float) -> str:
    """The band of a score from 0 to 1: "high", "fair" or "low"."""
    return next(name for name, least in _BANDS if quality >= least)


def quality_rows(stats: Mapping[str, Any]) -> dict[str, int]:
    """Words to numbers; empty where no HTML page was converted."""
    counts = {name: int(stats.get(_PREFIX + name, 0)) for name, _ in _BANDS}
    return {_WORDS[name]: count for name, count in counts.items()} if any(counts.values()) else {}

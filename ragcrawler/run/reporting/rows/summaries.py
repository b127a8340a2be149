"""Rows of the report on summaries."""

from collections.abc import Mapping
from typing import Any

_PREFIX = "ragcrawler/summarize/"
_MICRO = 1_000_000
_ROWS = {
    "chunks": "passages",
    "made": "summarised by calls of this run",
    "known": "known from earlier calls",
    "failed": "failed: stored without a summary",
    "missing": "not asked for: stored without a summary",
    "input_tokens": "tokens read",
    "cached_input_tokens": "of these from the provider's cache",
    "output_tokens": "tokens written",
}


def summary_rows(stats: Mapping[str, Any]) -> dict[str, str]:
    """Words to numbers; empty where nothing was to be summarised."""
    if not _count(stats, "chunks"):
        return {}
    rows = {words: str(_count(stats, name)) for name, words in _ROWS.items()}
    dollars = _count(stats, "micro_dollars") / _MICRO
    return rows | ({"cost in US dollars": f"{dollars:.4f}"} if dollars else {})


def lacking_summaries(stats: Mapping[str, Any]) -> int:
    """Passages that were stored without one, though they should have it."""
    return _count(stats, "failed") + _count(stats, "missing")


def _count(stats: Mapping[str, Any], name: str) -> int:
    return int(stats.get(_PREFIX + name, 0))

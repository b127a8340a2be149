"""What search engines did, for the report and the exit code."""

from collections.abc import Mapping
from typing import Any

from ragcrawler.search_engines import SearchState

_PREFIX = "ragcrawler/search/"
_STATES = f"{_PREFIX}states/"
_SILENT = f"{_PREFIX}unresponsive/"
_LEFT_OUT = f"{_PREFIX}left_out/"


def search_rows(stats: Mapping[str, Any]) -> dict[str, int]:
    """Queries by engine and state, then URLs; empty where no engine was to be asked."""
    rows = {_words(name, _STATES): int(value) for name, value in _under(stats, _STATES).items()}
    rows |= {f"behind {_words(name, _SILENT)}": int(value) for name, value in _under(stats, _SILENT).items()}
    if not rows:
        return {}
    others = {"requests": "requests sent", "alarms": "doubtful results", "found": "URLs found"}
    rows |= {words: int(stats[_PREFIX + name]) for name, words in others.items() if stats.get(_PREFIX + name)}
    left_out = {
        f"URLs left out: {name.removeprefix(_LEFT_OUT)}": int(value)
        for name, value in _under(stats, _LEFT_OUT).items()
    }
    return rows | left_out


def search_losses(stats: Mapping[str, Any]) -> dict[str, int]:
    """Queries that an engine did not answer, by engine and state."""
    states = {
        _words(name, _STATES): int(value)
        for name, value in _under(stats, _STATES).items()
        if not SearchState(name.rpartition("/")[2]).is_answer
    }
    silent = {_words(name, _SILENT): int(value) for name, value in _under(stats, _SILENT).items()}
    return states | silent


def is_search_unanswered(stats: Mapping[str, Any]) -> bool:
    """Whether engines were to be asked, and none answered any query, not even with a first page."""
    states = [SearchState(name.rpartition("/")[2]) for name in _under(stats, _STATES)]
    has_results = bool(stats.get(f"{_PREFIX}results"))
    return bool(states) and not has_results and not any(state.is_answer for state in states)


def _under(stats: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    return {name: value for name, value in sorted(stats.items()) if name.startswith(prefix)}


def _words(name: str, prefix: str) -> str:
    engine, _, state = name.removeprefix(prefix).rpartition("/")
    return f"{engine}: {state}"

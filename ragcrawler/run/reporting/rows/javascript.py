"""Rows of the report on pages that need JavaScript."""

from collections.abc import Mapping
from typing import Any

_PREFIX = "ragcrawler/javascript/"
_ROWS = {
    "weak": "of these after their content was hardly found",
    "gained": "rendered, with a gain",
    "not_gained": "rendered, without a gain",
    "never_gains": "not rendered: others of their kind never gained",
    "over_budget": "not rendered: over the budget",
    "no_browser": "not rendered: no browser",
}


def javascript_rows(stats: Mapping[str, Any]) -> dict[str, int]:
    """Words to numbers; empty where no page needed JavaScript."""
    counts = {
        name.removeprefix(_PREFIX): int(value) for name, value in stats.items() if name.startswith(_PREFIX)
    }
    if not counts.get("wanted"):
        return {}
    rows = {words: counts[name] for name, words in _ROWS.items() if name in counts}
    for kind, words in (("errors/", "not rendered: "), ("blocked/", "requests of scripts refused: ")):
        named = {name: count for name, count in sorted(counts.items()) if name.startswith(kind)}
        rows |= {words + name.removeprefix(kind): count for name, count in named.items()}
    return {"need JavaScript": counts["wanted"], **rows}

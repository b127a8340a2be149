"""Rows of the report on proxies."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

_PREFIX = "ragcrawler/proxies/"
_STATES = {
    "good": "working at the end",
    "banned": "banned at the end",
    "dead": "dead at the end",
    "unchecked": "not used",
    "retries": "requests tried again through another",
    "renewals": "new circuits after a ban",
}


def proxy_rows(stats: Mapping[str, Any]) -> dict[str, int]:
    """Words to numbers, then each proxy with its responses, bans and failures; empty without proxies."""
    counts = {
        name.removeprefix(_PREFIX): int(value) for name, value in stats.items() if name.startswith(_PREFIX)
    }
    rows = {words: counts[name] for name, words in _STATES.items() if name in counts}
    by_proxy: dict[str, dict[str, int]] = defaultdict(dict)
    for name, count in counts.items():
        if name.startswith("by_proxy/"):
            proxy, _, outcome = name.removeprefix("by_proxy/").rpartition("/")
            by_proxy[proxy][outcome] = count
    for proxy in sorted(by_proxy):
        rows |= {f"{proxy}: {outcome}": count for outcome, count in sorted(by_proxy[proxy].items())}
    return rows

"""Rows of the report on a crawl of what was due."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragcrawler.run.reporting.report import DocumentCounts

_PREFIX = "ragcrawler/revisits/"


def revisit_rows(stats: Mapping[str, Any], documents: "DocumentCounts") -> dict[str, int]:
    """Words to numbers; empty for a crawl that asked for everything."""
    counts = {name: int(stats.get(_PREFIX + name, 0)) for name in ("due", "not_due")}
    if not any(counts.values()):
        return {}
    return {
        "stored pages that were due": counts["due"],
        "stored pages that were not due": counts["not_due"],
        "of the visited: changed": documents.changed,
        "of the visited: unchanged": documents.unchanged + documents.same_text,
        "of the visited: new": documents.new,
    }

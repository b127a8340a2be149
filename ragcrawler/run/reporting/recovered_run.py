"""What lists and feeds of a run still tell of it."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from ragcrawler.run.outcomes import UNCHANGED
from ragcrawler.run.reporting.activity import CrawlActivity

_MOST_FAILURES = 200
_MOST_KINDS = 200  # of stages and reasons
_MOST_LINE_BYTES = 64 * 2**20
_MOST_BYTES = 512 * 2**20  # of a file that are read
_CHARACTERS = {"url": 2_000, "message": 1_000}
_OTHER = ("other", "other")


@dataclass(frozen=True, slots=True)
class ReadFailure:
    """A lost page."""

    url: str
    stage: str
    reason: str
    message: str
    attempts: int


@dataclass(frozen=True, slots=True)
class FailureSummary:
    """The pages that a run lost.

    Attributes:
        counts: by stage and reason.
        first: the first of them.
        damaged_lines: that a break has cut.
    """

    counts: Mapping[tuple[str, str], int] = field(default_factory=dict)
    first: Sequence[ReadFailure] = ()
    damaged_lines: int = 0

    @property
    def total(self) -> int:
        """Of all pages."""
        return sum(self.counts.values())


def read_failures(path: Path) -> FailureSummary:
    """The list of a run; empty where there is none.

    Raises:
        OSError: it cannot be read.
    """
    counts: Counter[tuple[str, str]] = Counter()
    first: list[ReadFailure] = []
    damaged = 0
    for record in _records(path):
        failure = _failure(record)
        if failure is None:
            damaged += 1
            continue
        kind = (failure.stage, failure.reason)
        counts[kind if kind in counts or len(counts) < _MOST_KINDS else _OTHER] += 1
        if len(first) < _MOST_FAILURES:
            first.append(failure)
    return FailureSummary(counts, tuple(first), damaged)


def read_feed(path: Path) -> CrawlActivity:
    """When the documents of a feed were fetched, and how large their chunks are; empty without a feed.

    Raises:
        OSError: it cannot be read.
    """
    activity: CrawlActivity | None = None
    for record in _records(path):
        try:
            now = datetime.fromisoformat(record["fetched_at"]).timestamp()
            sizes = [int(chunk["token_count"]) for chunk in record["chunks"]]
        except (KeyError, TypeError, ValueError):
            continue  # a line that a break has cut, or an item of another project
        activity = activity or CrawlActivity(now)
        activity.note("unchanged" if record.get("state") == UNCHANGED else "pages", now=now)
        activity.note("chunks", len(sizes), now=now)
        activity.note_sizes(sizes)
    return activity or CrawlActivity()


def _records(path: Path) -> Iterator[Mapping[str, Any]]:
    """The objects of a JSONL file; {} for a line that is none."""
    if not path.exists():
        return
    with path.open("rb") as file:
        while file.tell() < _MOST_BYTES and (line := file.readline(_MOST_LINE_BYTES)):
            try:
                record = json.loads(line)
            except ValueError:
                record = {}
            yield record if isinstance(record, dict) else {}


def _failure(record: Mapping[str, Any]) -> ReadFailure | None:
    try:
        return ReadFailure(
            str(record["url"])[: _CHARACTERS["url"]],
            str(record["stage"]),
            str(record["reason"]),
            str(record["message"])[: _CHARACTERS["message"]],
            int(record.get("attempts", 1)),
        )
    except (KeyError, TypeError, ValueError):
        return None

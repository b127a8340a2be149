"""The plan of a crawl: pages that it would take and skip, by reason, with examples."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ragcrawler.frontier.states.protocol import NOFOLLOW, Status

_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class PlanRow:
    """URLs of one fate.

    Attributes:
        fate: "take" or "skip".
        reason: why they are left out; for those to take whether they were looked at ("fetched", "planned").
        count: how many.
        examples: some of them.
    """

    fate: str
    reason: str
    count: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """A crawl looked ahead to.

    Attributes:
        rows: what to take, then what to leave out, most first.
        languages: of the pages to take, by what their URLs name; mirrors that a rule could leave out.
        versions: likewise.
        junk: URLs that are left out as junk, by the word of JUNK_URL_PATTERN.
    """

    rows: tuple[PlanRow, ...]
    languages: Mapping[str, int]
    versions: Mapping[str, int]
    junk: Mapping[str, int]

    @property
    def taken(self) -> int:
        """How many pages the crawl would take, as far as is known."""
        return sum(row.count for row in self.rows if row.fate == "take")

    @property
    def skipped(self) -> int:
        """How many URLs it would leave out."""
        return sum(row.count for row in self.rows if row.fate == "skip")

    def to_json(self) -> dict[str, Any]:
        """The plan as JSON types."""
        return {"taken": self.taken, "skipped": self.skipped, **asdict(self)}


class PlanTally:
    """Observes the ledger of a plan.

    Args:
        planned: the reason of what was left to the crawl.
        language_of: what a URL names, "" for nothing.
        version_of: likewise.
    """

    def __init__(
        self, planned: str, language_of: Callable[[str], str], version_of: Callable[[str], str]
    ) -> None:
        self._planned = planned
        self._language_of = language_of
        self._version_of = version_of
        self._counts: Counter[tuple[str, str]] = Counter()
        self._examples: dict[tuple[str, str], list[str]] = {}
        self._languages: Counter[str] = Counter()
        self._versions: Counter[str] = Counter()
        self._open: dict[int, str] = {}
        self._nofollow: dict[int, str] = {}

    def added(self, key: int, url: str) -> None:
        """Remember a URL until it is decided."""
        self._nofollow.pop(key, None)
        self._open[key] = url

    def marked_nofollow(self, key: int, url: str) -> None:
        """Remember a URL that another link may still bring."""
        self._nofollow[key] = url

    def found(self, key: int, parent_url: str, depth: int) -> None:
        """A plan does not say where a URL was found."""

    def answered(self, key: int, final_url: str) -> None:
        """Nor which URL answered for it."""

    def decided(self, key: int, url: str, status: Status, reason: str) -> None:
        self._open.pop(key, None)
        is_taken = status == "fetched" or reason == self._planned
        row = ("take" if is_taken else "skip", "fetched" if status == "fetched" else reason)
        self._counts[row] += 1
        examples = self._examples.setdefault(row, [])
        if len(examples) < _EXAMPLES:
            examples.append(url)
        if is_taken:
            self._languages[self._language_of(url)] += 1
            self._versions[self._version_of(url)] += 1

    def closed(self, reason: str) -> None:
        for key, url in list(self._open.items()):
            self.decided(key, url, "skipped", reason)
        for key, url in self._nofollow.items():
            self.decided(key, url, "skipped", NOFOLLOW)

    def plan(self, junk: Mapping[str, int]) -> Plan:
        """What was counted, with the words by which URLs are junk."""
        rows = [
            PlanRow(fate, reason, count, tuple(self._examples[fate, reason]))
            for (fate, reason), count in self._counts.items()
        ]
        rows.sort(key=lambda row: (row.fate != "take", -row.count, row.reason))
        return Plan(tuple(rows), _named(self._languages), _named(self._versions), junk)


def _named(counts: Counter[str]) -> dict[str, int]:
    return {name: count for name, count in counts.most_common() if name}

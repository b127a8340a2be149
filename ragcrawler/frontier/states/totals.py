"""Counts of a crawl that outlive its process: its report is about all of its runs."""

import json
from collections import Counter
from collections.abc import Callable, Mapping

from ragcrawler.frontier.states.protocol import Notes

Count = Callable[[str, int], None]

_TOTALS = "totals"


class CrawlTotals:
    """Adds up by name; saved with what was counted, in one transaction.

    Args:
        notes: keep them.
        tell: adds to a stat of this run, by its name without the prefix.
    """

    def __init__(self, notes: Notes, tell: Count | None = None) -> None:
        self._notes = notes
        self._tell = tell
        self._is_changed = False
        self._values: Counter[str] = Counter(json.loads(notes.get(_TOTALS, 0) or "{}"))

    @property
    def values(self) -> Mapping[str, int]:
        """All of them."""
        return self._values

    def add(self, counts: Mapping[str, int]) -> None:
        """Add to some."""
        self._values.update(counts)
        self._is_changed = self._is_changed or bool(counts)

    def count(self, name: str, amount: int) -> None:
        """Count something in this run, and for the whole crawl."""
        if self._tell is not None:
            self._tell(name, amount)
        if amount:
            self.add({name: amount})

    def save(self) -> None:
        """Put them where the next process finds them."""
        if self._is_changed:
            self._notes.put(_TOTALS, 0, json.dumps(self._values))
            self._is_changed = False

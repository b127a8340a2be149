"""Counts of a crawl that outlive its process: its report is about all of its runs, and of all its workers."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from ragcrawler.frontier.states.protocol import Notes

Count = Callable[[str, int], None]

_TOTALS = "totals"


class CrawlTotals:
    """Counters by name; saved with what was counted, in one transaction. Each worker adds its own.

    Args:
        notes: keep them.
        tell: adds to a stat of this run, by its name without the prefix.
    """

    def __init__(self, notes: Notes, tell: Count | None = None) -> None:
        self._notes = notes
        self._tell = tell
        self._unsaved: Counter[str] = Counter()

    @property
    def values(self) -> Mapping[str, int]:
        """All of them, those of other workers included."""
        return Counter(self._notes.named_counts(_TOTALS)) + self._unsaved

    def add(self, counts: Mapping[str, int]) -> None:
        """Add to some."""
        self._unsaved.update({name: amount for name, amount in counts.items() if amount})

    def count(self, name: str, amount: int) -> None:
        """Count something in this run, and for the whole crawl."""
        if self._tell is not None:
            self._tell(name, amount)
        self.add({name: amount})

    @contextmanager
    def kept_on_error(self) -> Iterator[None]:
        """What is counted within is forgotten where it breaks; what was there before is not."""
        before = Counter(self._unsaved)
        try:
            yield
        except BaseException:
            self._unsaved = before
            raise

    def save(self) -> None:
        """Put them where the next process finds them."""
        if self._unsaved:
            self._notes.count_named(_TOTALS, self._unsaved)
            self._unsaved.clear()

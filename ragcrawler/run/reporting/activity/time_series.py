"""Counts by time, in a bounded number of buckets."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Self

_MOST_BUCKETS = 120
_FIRST_WIDTH_SECONDS = 1.0
_MINUTE, _HOUR = 60, 3600


class TimeSeries:
    """Counts of some names in buckets of equal width; where it gets long, two buckets become one.

    Args:
        names: of the counts.
        began: the time of the first bucket, in seconds since 1970.
        width_seconds: of a bucket.
    """

    def __init__(
        self, names: Iterable[str], began: float, width_seconds: float = _FIRST_WIDTH_SECONDS
    ) -> None:
        self.began = began
        self.width_seconds = width_seconds
        self.counts: dict[str, list[int]] = {name: [] for name in names}

    @property
    def length(self) -> int:
        """How many buckets are in use."""
        return max((len(each) for each in self.counts.values()), default=0)

    def add(self, name: str, now: float, amount: int = 1) -> None:
        """Count something at a time, in seconds since 1970; an earlier one than the first counts there."""
        while (place := max(0, int((now - self.began) / self.width_seconds))) >= _MOST_BUCKETS:
            self._widen()
        buckets = self.counts[name]
        buckets.extend([0] * (place + 1 - len(buckets)))
        buckets[place] += amount

    def cumulated(self, name: str) -> list[int]:
        """How many there were until the end of each bucket."""
        sums, total = [], 0
        for count in (*self.counts[name], *[0] * (self.length - len(self.counts[name]))):
            total += count
            sums.append(total)
        return sums

    def plus(self, other: "TimeSeries") -> "TimeSeries":
        """Both, by the clock: what went on at the same time is added."""
        names = dict.fromkeys((*self.counts, *other.counts))
        width = max(self.width_seconds, other.width_seconds)
        both = TimeSeries(names, min(self.began, other.began), width)
        for series in (self, other):
            for name, buckets in series.counts.items():
                for place, count in enumerate(buckets):
                    if count:
                        both.add(name, series.began + place * series.width_seconds, count)
        return both

    def to_json(self) -> dict[str, Any]:
        """As JSON types."""
        began = datetime.fromtimestamp(self.began, UTC).isoformat()
        return {"began": began, "width_seconds": self.width_seconds, "counts": self.counts}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """What `to_json` gave.

        Raises:
            KeyError, TypeError, ValueError: it is something else.
        """
        began = datetime.fromisoformat(values["began"]).timestamp()
        made = cls((), began, float(values["width_seconds"]))
        counts = values["counts"].items()
        made.counts = {str(name): [int(count) for count in row][:_MOST_BUCKETS] for name, row in counts}
        return made

    def _widen(self) -> None:
        self.width_seconds *= 2
        for name, buckets in self.counts.items():
            self.counts[name] = [sum(buckets[place : place + 2]) for place in range(0, len(buckets), 2)]


def clock(seconds: float) -> str:
    """A duration: "45 s", "12:05 min", "3:20 h"."""
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE}:{whole % _MINUTE:02} min"
    return f"{whole // _HOUR}:{whole % _HOUR // _MINUTE:02} h"

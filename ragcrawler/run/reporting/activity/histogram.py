"""How often values of each size came, in a fixed number of counts."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any, Self


class Histogram:
    """Counts of values up to each bound, and above the last.

    Args:
        bounds: ascending; a value counts at the first that it does not exceed.
    """

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(self.bounds) + 1)
        self.total = 0.0
        self.maximum = 0.0

    @property
    def count(self) -> int:
        """Of all values."""
        return sum(self.counts)

    @property
    def mean(self) -> float:
        """Of all values; 0 where there is none."""
        return self.total / self.count if self.count else 0.0

    def add(self, value: float) -> None:
        """Count a value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value
        self.maximum = max(self.maximum, value)

    def plus(self, other: "Histogram") -> "Histogram":
        """Both.

        Raises:
            ValueError: their bounds differ.
        """
        if self.bounds != other.bounds:
            raise ValueError(f"bounds {self.bounds} and {other.bounds} cannot be added")
        both = Histogram(self.bounds)
        both.counts = [one + another for one, another in zip(self.counts, other.counts, strict=True)]
        both.total = self.total + other.total
        both.maximum = max(self.maximum, other.maximum)
        return both

    def to_json(self) -> dict[str, Any]:
        """As JSON types."""
        return {
            "bounds": list(self.bounds),
            "counts": self.counts,
            "total": round(self.total, 3),
            "maximum": round(self.maximum, 3),
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """What `to_json` gave.

        Raises:
            KeyError, TypeError, ValueError: it is something else.
        """
        made = cls([float(bound) for bound in values["bounds"]])
        counts = [int(count) for count in values["counts"]]
        if len(counts) != len(made.counts):
            raise ValueError(f"{len(counts)} counts for {len(made.bounds)} bounds")
        made.counts, made.total, made.maximum = counts, float(values["total"]), float(values["maximum"])
        return made

"""Rectangles on a page: points of 1/72 inch, the origin at the top left, y growing downwards."""

from collections.abc import Iterable
from typing import NamedTuple


class Box(NamedTuple):
    """A rectangle; `x0 <= x1` and `top <= bottom`."""

    x0: float
    top: float
    x1: float
    bottom: float

    @property
    def width(self) -> float:
        """In points."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """In points."""
        return self.bottom - self.top

    @property
    def middle(self) -> tuple[float, float]:
        """The centre, (x, y)."""
        return (self.x0 + self.x1) / 2, (self.top + self.bottom) / 2

    def holds(self, point: tuple[float, float], slack: float = 0.0) -> bool:
        """Whether a point lies inside, or within `slack` points of the edge."""
        x, y = point
        return self.x0 - slack <= x <= self.x1 + slack and self.top - slack <= y <= self.bottom + slack

    def overlap(self, other: "Box") -> float:
        """The shared area in square points."""
        width = min(self.x1, other.x1) - max(self.x0, other.x0)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return width * height if width > 0 and height > 0 else 0.0


def hull(boxes: Iterable[Box]) -> Box:
    """The smallest box around at least one box."""
    x0, top, x1, bottom = zip(*boxes, strict=True)
    return Box(min(x0), min(top), max(x1), max(bottom))

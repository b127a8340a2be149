"""From PDFium's coordinates to the page as a reader sees it."""

from dataclasses import dataclass

from ragcrawler.conversion.pdf.reading.geometry import Box


@dataclass(frozen=True, slots=True)
class Frame:
    """A page's visible box, turned by `quarter_turns` clockwise.

    Attributes:
        left: of the visible box, in PDF coordinates (y upwards).
        bottom: likewise.
        right: likewise.
        top: likewise.
        quarter_turns: 0 to 3.
    """

    left: float
    bottom: float
    right: float
    top: float
    quarter_turns: int = 0

    @property
    def size(self) -> tuple[float, float]:
        """Width and height as a reader sees them."""
        width, height = self.right - self.left, self.top - self.bottom
        return (height, width) if self.quarter_turns % 2 else (width, height)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point of the PDF in the frame, y downwards."""
        if self.quarter_turns == 0:
            return x - self.left, self.top - y
        if self.quarter_turns == 1:
            return y - self.bottom, x - self.left
        if self.quarter_turns == 2:  # noqa: PLR2004 - a half turn
            return self.right - x, y - self.bottom
        return self.top - y, self.right - x

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """A rectangle of the PDF in the frame."""
        if self.quarter_turns == 0:  # the case that counts: once a character
            return Box(left - self.left, self.top - top, right - self.left, self.top - bottom)
        (x0, y0), (x1, y1) = self.point(left, bottom), self.point(right, top)
        return Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))

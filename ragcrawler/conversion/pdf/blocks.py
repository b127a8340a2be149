"""The blocks of a document after layout analysis."""

from dataclasses import dataclass
from typing import ClassVar

from ragcrawler.conversion.pdf.reading.geometry import Box
from ragcrawler.conversion.pdf.reading.page import Image
from ragcrawler.conversion.pdf.reading.text.lines import Line


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text.

    Attributes:
        lines: from top to bottom, at least one.
        indent: how many list levels it is inside of.
    """

    lines: tuple[Line, ...]
    indent: int = 0


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `level` is 1 to 6."""

    lines: tuple[Line, ...]
    level: int


@dataclass(frozen=True, slots=True)
class Code:
    """Monospaced lines; their indentation is in their positions."""

    lines: tuple[Line, ...]
    indent: int = 0


@dataclass(frozen=True, slots=True)
class ListItem:
    """The first paragraph of a list item.

    Attributes:
        lines: without the marker.
        marker: `-` or `3.`.
        indent: how many list levels it is inside of, its own not counted.
    """

    lines: tuple[Line, ...]
    marker: str
    indent: int = 0


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote.

    Attributes:
        lines: without the number.
        number: as printed.
    """

    lines: tuple[Line, ...]
    number: str

    @property
    def page(self) -> int:
        """0-based number of its page."""
        return self.lines[0].page


TableCell = tuple[Line, ...]
"""The lines of a cell, () where it is empty."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, every row of one length; the first is the header.

    Attributes:
        rows: from top to bottom, at least one.
        page: 0-based number of the page on which it ends.
        box: where it stands on that page.
        edges: x of the columns' left edges, by which its continuation is known.
        order: of its first line in the content stream of its first page.
    """

    rows: tuple[tuple[TableCell, ...], ...]
    page: int
    box: Box
    edges: tuple[float, ...]
    order: int


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture.

    Attributes:
        image: where it stands, and how to get at its pixels.
        page: 0-based number of its page.
        caption: the lines that name it, also kept as a paragraph of their own.
    """

    image: Image
    page: int
    caption: tuple[Line, ...] = ()
    order: ClassVar[int] = -1
    """Its place among the lines of the content stream is not known."""

    @property
    def box(self) -> Box:
        """Where it stands."""
        return self.image.box


Block = Paragraph | Heading | Code | ListItem | Footnote | Table | Figure

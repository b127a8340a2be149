"""The contents of a page as they were read, before layout analysis."""

from dataclasses import dataclass, field

from ragcrawler.conversion.pdf.reading.beside_text import BesideText
from ragcrawler.conversion.pdf.reading.geometry import Box
from ragcrawler.conversion.pdf.reading.text.lines import Line


@dataclass(frozen=True, slots=True)
class Drawing:
    """The straight lines and filled areas of a page.

    Attributes:
        horizontal: rules, each as a thin box.
        vertical: rules, each as a thin box.
        fills: filled rectangles that are no rules.
        bullets: shapes about as wide as high, and as small as the bullet of a list.
    """

    horizontal: tuple[Box, ...] = ()
    vertical: tuple[Box, ...] = ()
    fills: tuple[Box, ...] = ()
    bullets: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class Image:
    """A picture on a page.

    Attributes:
        box: where it stands.
        index: its place among the page's pictures, by which its pixels can be asked for.
        pixels: width times height.
    """

    box: Box
    index: int
    pixels: int


@dataclass(frozen=True, slots=True)
class PageContent:
    """One page.

    Attributes:
        number: 0-based.
        width: in points, as a reader sees it.
        height: in points.
        lines: in the order of the content stream.
        drawing: rules and fills.
        images: in the order of the content stream.
        hidden_characters: characters that a reader cannot see, left out of `lines`.
        turned_characters: characters that stand sideways or upside down, left out of `lines`.
        beside_text: fields and notes, which are in none of the others.
    """

    number: int
    width: float
    height: float
    lines: tuple[Line, ...]
    drawing: Drawing = Drawing()
    images: tuple[Image, ...] = ()
    hidden_characters: int = 0
    turned_characters: int = 0
    beside_text: BesideText = field(default_factory=BesideText)

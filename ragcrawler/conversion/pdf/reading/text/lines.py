"""Words and lines as they stand on a page."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ragcrawler.conversion.pdf.reading.geometry import Box, hull


@dataclass(frozen=True, slots=True)
class Style:
    """How a piece of text looks.

    Attributes:
        font: the base font's name without its subset prefix.
        size: in points, as printed.
        mono: every character is as wide as every other.
        bold: the font says so, by name, weight or flag.
        italic: likewise.
    """

    font: str
    size: float
    mono: bool = False
    bold: bool = False
    italic: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """Characters without white space between them, of one style.

    Attributes:
        text: at least one character.
        box: from the font's ascent to its descent.
        baseline: y of the line it stands on.
        style: how it looks.
        spaced: white space stands before it.
        typed_space: that white space is a character, so that it goes on with the text before it.
        link: the absolute URL it leads to, "" where none.
    """

    text: str
    box: Box
    baseline: float
    style: Style
    spaced: bool = True
    typed_space: bool = False
    link: str = ""


@dataclass(frozen=True)
class Line:
    """Words on one baseline without a gap wide enough to be another column.

    Attributes:
        words: from left to right, at least one.
        page: 0-based number of the page.
        order: position in the page's content stream: the order in which the producer wrote it.
    """

    words: tuple[Word, ...]
    page: int
    order: int

    @cached_property
    def box(self) -> Box:
        """The box around its words."""
        return hull(word.box for word in self.words)

    @cached_property
    def text(self) -> str:
        """Its words, separated where white space stood."""
        return join_words(self.words)

    @cached_property
    def style(self) -> Style:
        """The style of most of its characters."""
        counts: Counter[Style] = Counter()
        for word in self.words:
            counts[word.style] += len(word.text)
        return counts.most_common(1)[0][0]

    @property
    def baseline(self) -> float:
        """Y of its first word in the line's main style."""
        return next(word.baseline for word in self.words if word.style == self.style)

    @cached_property
    def mono(self) -> bool:
        """Whether all of it is monospaced."""
        return all(word.style.mono for word in self.words)

    @cached_property
    def bold(self) -> bool:
        """Whether all of it is bold, code aside."""
        return any(word.style.bold for word in self.words) and all(
            word.style.bold or word.style.mono for word in self.words
        )

    def with_words(self, words: Sequence[Word]) -> "Line":
        """The same line with other words."""
        return replace(self, words=tuple(words))


def join_words(words: Sequence[Word]) -> str:
    """The text of words that follow each other."""
    return "".join((" " if word.spaced and index else "") + word.text for index, word in enumerate(words))

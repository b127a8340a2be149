"""The output of a strategy: runs of units that become chunks."""

from collections.abc import Sequence
from dataclasses import dataclass

from ragcrawler.chunking.parsing.sections import Section
from ragcrawler.chunking.sizing.units import Unit


@dataclass(frozen=True, slots=True)
class Draft:
    """A chunk to be.

    Attributes:
        units: what it consists of, in document order.
        sections: the section of its text; all that it touches where there are several, or no text.
        group: drafts of one number were cut from one piece.
        in_characters: the units' sizes are characters, not tokens.
        content: the Markdown.
        tokens: of the content.
        start: offset of the source's first character, white space around it left out.
        end: offset behind its last.
    """

    units: Sequence[Unit]
    sections: Sequence[Section]
    group: int
    in_characters: bool = False
    content: str = ""
    tokens: int = 0
    start: int = 0
    end: int = 0

    @property
    def headings(self) -> list[Unit]:
        """The headings in it."""
        return [unit for unit in self.units if unit.is_heading]

    @property
    def main(self) -> Section:
        """The section that most of its text is of; the first of those with as much."""
        headings = [section.heading_element for section in self.sections]
        starts = [heading.start if heading else 0 for heading in headings]
        bodies = [heading.end if heading else 0 for heading in headings]
        sizes = [
            min(end, self.end) - max(body, self.start)
            for body, end in zip(bodies, [*starts[1:], self.end], strict=True)
        ]
        return self.sections[sizes.index(max(sizes))]

    @property
    def is_oversized(self) -> bool:
        """Whether it is over the limit on purpose."""
        return any(unit.oversized for unit in self.units)

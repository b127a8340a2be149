"""Which sections a chunk belongs to."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from ragcrawler.chunking.parsing.sections import Section
from ragcrawler.chunking.parsing.source import has_letters
from ragcrawler.chunking.sizing.units import Unit
from ragcrawler.chunking.strategies.grouping import SectionUnits


def sections_of(
    runs: Sequence[Sequence[Unit]], parts: Sequence[SectionUnits], text: str
) -> Iterator[list[Section]]:
    """For each run the section of its text; all that it touches where there are several, or no text."""
    starts = [part.units[0].start for part in parts]
    for run in runs:
        spoken = {
            bisect_right(starts, unit.start) - 1
            for unit in run
            if not unit.is_heading and has_letters(text[unit.start : unit.end])
        }
        first, behind = bisect_right(starts, run[0].start) - 1, bisect_left(starts, run[-1].end)
        touched = spoken if len(spoken) == 1 else range(first, behind)
        yield [parts[index].section for index in touched]


def sections_at(root: Section, start: int, end: int) -> list[Section]:
    """The sections between two offsets; the one in force at the first is among them."""
    sections = list(root.walk())
    starts = [section.heading_element.start if section.heading_element else 0 for section in sections]
    first = max(bisect_right(starts, start) - 1, 0)
    return sections[first : max(bisect_left(starts, end), first + 1)]

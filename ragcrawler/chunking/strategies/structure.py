"""The default: chunks follow sections and elements."""

from collections.abc import Iterator, Sequence

from ragcrawler.chunking.draft import Draft
from ragcrawler.chunking.elements import ElementType, MarkdownElement
from ragcrawler.chunking.grouping import SectionUnits, group_sections
from ragcrawler.chunking.packing import pack
from ragcrawler.chunking.parsed import ParsedDocument
from ragcrawler.chunking.sections import Section
from ragcrawler.chunking.source import has_letters
from ragcrawler.chunking.splitters import ElementSplitter
from ragcrawler.chunking.units import Boundary, Unit, tokens_of

# What is smaller than this share of the limit is not cut to make room for its heading.
_KEPT_WHOLE = 0.9
_NEEDS_CONTEXT = {ElementType.TABLE, ElementType.IMAGE}
_LED_IN = {
    ElementType.TABLE,
    ElementType.CODE,
    ElementType.INDENTED_CODE,
    ElementType.BULLET_LIST,
    ElementType.ORDERED_LIST,
    ElementType.QUOTE,
    ElementType.IMAGE,
}


def cut_by_structure(document: ParsedDocument) -> Iterator[Draft]:
    """Sections, short ones joined; elements whole where they fit; small pieces of one section together."""
    splitter = ElementSplitter(document.budget, document.config.code_policy)
    parts = [_section_units(section, splitter) for section in document.root.walk()]
    config = document.config
    groups = group_sections(
        (part for part in parts if part.units), least=config.min_tokens, limit=config.target_tokens
    )
    for number, group in enumerate(groups):
        units = [unit for part in group for unit in part.units]
        units[0].boundary = Boundary.SECTION
        for run in pack(
            units, target=config.target_tokens, limit=document.budget.limit, least=config.min_tokens
        ):
            yield Draft(run, _sections_of(run, group, document.source.text), number)


def _sections_of(run: Sequence[Unit], group: Sequence[SectionUnits], text: str) -> list[Section]:
    """The section of the text in a run; all that it touches where there are several, or headings alone."""
    start, end = run[0].start, run[-1].end
    touched = [part for part in group if part.units[0].start < end and start < part.units[-1].end]
    bodies = {
        id(part.section): part.section
        for part in touched
        for unit in part.units
        if start <= unit.start < end and not unit.is_heading and has_letters(text[unit.start : unit.end])
    }
    return list(bodies.values()) if len(bodies) == 1 else [part.section for part in touched]


def _section_units(section: Section, splitter: ElementSplitter) -> SectionUnits:
    units: list[Unit] = []
    if section.heading_element:
        units = splitter.units(section.heading_element)
        for unit in units:
            unit.is_heading = True
    before: MarkdownElement | None = None
    for element in section.content_elements:
        if element.type is ElementType.FRONT_MATTER:
            continue
        made = _following(units, element, splitter) if units and before is None else splitter.units(element)
        made[0].boundary = _boundary(before, element) if before else Boundary.AFTER_HEADING
        units += made
        before = element
    return SectionUnits(section, units)


def _following(heading: list[Unit], element: MarkdownElement, splitter: ElementSplitter) -> list[Unit]:
    """The first element of a section, cut if it has no room beside its heading but its parts have."""
    units = splitter.units(element)
    limit = splitter.budget.limit
    room = limit - heading[-1].tokens
    if tokens_of(units[:1]) <= room:
        return units
    narrow = splitter.within(max(room, int(limit * _KEPT_WHOLE)))
    for parts in (splitter.split(element), narrow.split(element)):
        if tokens_of(parts[:1]) <= room:
            return parts
    return units


def _boundary(before: MarkdownElement, element: MarkdownElement) -> Boundary:
    if element.type in _LED_IN and before.content.rstrip().endswith((":", "：")):
        return Boundary.LEAD_IN
    if element.type in _NEEDS_CONTEXT or before.type is ElementType.IMAGE:
        return Boundary.CONTEXT
    return Boundary.ELEMENT

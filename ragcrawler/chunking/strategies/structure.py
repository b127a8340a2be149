"""The default: chunks follow sections and elements."""

from collections.abc import Iterator, Sequence

from ragcrawler.chunking.parsing.document import ParsedDocument
from ragcrawler.chunking.parsing.elements import ElementType, MarkdownElement
from ragcrawler.chunking.parsing.heading_like import acts_as_heading
from ragcrawler.chunking.parsing.sections import Section
from ragcrawler.chunking.sizing.packing import pack
from ragcrawler.chunking.sizing.units import Boundary, Unit, tokens_of
from ragcrawler.chunking.splitters import ElementSplitter
from ragcrawler.chunking.strategies.cohesion import weigh_by_cohesion
from ragcrawler.chunking.strategies.draft import Draft
from ragcrawler.chunking.strategies.grouping import SectionUnits, group_sections
from ragcrawler.chunking.strategies.section_spans import sections_of

# What is smaller than this share of the limit is not cut to make room for its heading.
_KEPT_WHOLE = 0.9
_NEEDS_CONTEXT = {ElementType.TABLE, ElementType.IMAGE}
_CODE = {ElementType.CODE, ElementType.INDENTED_CODE}
_LED_IN = {
    *_CODE,
    ElementType.TABLE,
    ElementType.BULLET_LIST,
    ElementType.ORDERED_LIST,
    ElementType.QUOTE,
    ElementType.IMAGE,
}


def cut_by_structure(document: ParsedDocument) -> Iterator[Draft]:
    """Sections, short ones joined; elements whole where they fit; small pieces of one section together."""
    splitter = ElementSplitter(document.budget, document.config.code_policy)
    parts = [part for section in document.root.walk() if (part := section_units(section, splitter)).units]
    return cut_parts(document, parts)


def cut_parts(document: ParsedDocument, parts: Sequence[SectionUnits]) -> Iterator[Draft]:
    """Join short sections, then cut each group of them at the least cost."""
    config, text = document.config, document.source.text
    groups = group_sections(parts, text, least=config.min_tokens, limit=config.target_tokens)
    for number, group in enumerate(groups):
        units = [unit for part in group.parts for unit in part.units]
        units[0].boundary = Boundary.SECTION
        weigh_by_cohesion(units, text, document.budget.limit)
        runs = pack(
            units,
            target=config.target_tokens,
            limit=document.budget.limit,
            least=config.min_tokens,
            weigh=document.budget.map.weigh,
        )
        for run, sections in zip(runs, sections_of(runs, group.parts, text), strict=True):
            yield Draft(run, sections, number)


def section_units(section: Section, splitter: ElementSplitter) -> SectionUnits:
    """The heading and what stands directly under it, with the cost of parting one from the next."""
    units: list[Unit] = []
    if section.heading_element:
        units = splitter.units(section.heading_element)
        for unit in units:
            unit.is_heading = True
        units[0].boundary = Boundary.SECTION
    # What must not be the last of a chunk: the heading, and lines that act as such.
    held_tokens = units[-1].tokens if units else 0
    before: MarkdownElement | None = None
    for element in section.content_elements:
        if element.type is ElementType.FRONT_MATTER:
            continue
        made = _following(held_tokens, element, splitter, after_heading=before is None)
        made[0].boundary = _boundary(before, element) if before else Boundary.AFTER_HEADING
        held_tokens = held_tokens + tokens_of(made) if acts_as_heading(element) else 0
        if before and before.type is ElementType.PARAGRAPH:
            for unit in made:
                if unit.element:
                    unit.lead_in = (before.start, before.end)
        units += made
        before = element
    return SectionUnits(section, units)


def _following(
    held_tokens: int, element: MarkdownElement, splitter: ElementSplitter, *, after_heading: bool
) -> list[Unit]:
    """The units of an element, cut if it has no room beside what must stay before it but its parts have.

    Code that fits is cut for a real heading only.
    """
    units = splitter.units(element)
    limit = splitter.budget.limit
    room = limit - held_tokens
    if not held_tokens or tokens_of(units[:1]) <= room or units[0].oversized:
        return units
    if element.type in _CODE and not after_heading:
        return units
    narrow = splitter.within(max(room, int(limit * _KEPT_WHOLE)))
    for parts in (splitter.split(element), narrow.split(element)):
        if tokens_of(parts[:1]) <= room:
            return parts
    return units


def _boundary(before: MarkdownElement, element: MarkdownElement) -> Boundary:
    if acts_as_heading(before):
        return Boundary.AFTER_HEADING
    if element.type in _LED_IN and before.content.rstrip().endswith((":", "：")):
        return Boundary.LEAD_IN
    if element.type in _NEEDS_CONTEXT or before.type is ElementType.IMAGE:
        return Boundary.CONTEXT
    return Boundary.ELEMENT

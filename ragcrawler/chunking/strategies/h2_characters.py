"""Chunks of 500 to 1500 characters on H2 (specification 002)."""

from collections.abc import Iterator
from dataclasses import replace

from ragcrawler.chunking.parsing.document import ParsedDocument
from ragcrawler.chunking.sizing.packing import pack
from ragcrawler.chunking.sizing.token_map import CharacterMap
from ragcrawler.chunking.sizing.units import Boundary
from ragcrawler.chunking.splitters import ElementSplitter
from ragcrawler.chunking.strategies.draft import Draft
from ragcrawler.chunking.strategies.grouping import SectionGroup
from ragcrawler.chunking.strategies.section_spans import sections_of
from ragcrawler.chunking.strategies.structure import section_units

LEAST_CHARACTERS = 500
MOST_CHARACTERS = 1500
OVERLAP_CHARACTERS = 100
_H2 = 2


def cut_by_h2_characters(document: ParsedDocument) -> Iterator[Draft]:
    """Sections of H2 with all that is below them, cut only where they are too long."""
    most = max(1, int(MOST_CHARACTERS * document.narrowed))
    splitter = ElementSplitter(
        replace(document.budget, map=CharacterMap(document.source.text), limit=most),
        document.config.code_policy,
    )
    text, weigh = document.source.text, splitter.budget.map.weigh
    for number, group in enumerate(_h2_groups(document, splitter)):
        units = [unit for part in group.parts for unit in part.units]
        units[0].boundary = Boundary.SECTION
        runs = pack(units, target=most, limit=most, least=min(LEAST_CHARACTERS, most), weigh=weigh)
        for run, sections in zip(runs, sections_of(runs, group.parts, text), strict=True):
            yield Draft(run, sections, number, in_characters=True)


def _h2_groups(document: ParsedDocument, splitter: ElementSplitter) -> Iterator[SectionGroup]:
    group = SectionGroup()
    for section in document.root.walk():
        part = section_units(section, splitter)
        if not part.units:
            continue
        bodies = bool(part.bodies(document.source.text))
        if group.parts and section.level <= _H2 and group.has_body and group.tokens >= LEAST_CHARACTERS:
            yield group
            group = SectionGroup()
        group.add(part, part.tokens, has_body=bodies)
    if group.parts:
        yield group

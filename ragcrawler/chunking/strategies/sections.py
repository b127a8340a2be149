"""A chunk a section, short or long (specifications 003 and 004)."""

from collections.abc import Iterator
from dataclasses import replace

from ragcrawler.chunking.parsing.document import ParsedDocument
from ragcrawler.chunking.strategies.draft import Draft
from ragcrawler.chunking.strategies.structure import cut_by_structure


def cut_by_sections(document: ParsedDocument) -> Iterator[Draft]:
    """Whole sections as long as they fit; longer ones in parts; only a bare heading joins what follows."""
    config = replace(document.config, target_tokens=document.budget.limit, min_tokens=0)
    return cut_by_structure(replace(document, config=config))

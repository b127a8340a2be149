"""A document read: what every strategy starts from."""

from dataclasses import dataclass

from ragcrawler.chunking.budget import Budget
from ragcrawler.chunking.config import ChunkingConfig
from ragcrawler.chunking.elements import MarkdownElement
from ragcrawler.chunking.sections import Section
from ragcrawler.chunking.source import SourceText


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """The blocks and sections of a document, with what its chunks may cost."""

    source: SourceText
    elements: list[MarkdownElement]
    root: Section
    budget: Budget
    config: ChunkingConfig

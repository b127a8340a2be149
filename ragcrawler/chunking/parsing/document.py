"""A document read: what every strategy starts from."""

from dataclasses import dataclass, replace

from ragcrawler.chunking.config import ChunkingConfig
from ragcrawler.chunking.parsing.elements import MarkdownElement
from ragcrawler.chunking.parsing.sections import Section
from ragcrawler.chunking.parsing.source import SourceText
from ragcrawler.chunking.sizing.budget import TokenBudget


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """The blocks and sections of a document, with what its chunks may cost.

    Attributes:
        source: the text.
        elements: its blocks.
        root: its sections.
        budget: the room of a chunk.
        config: with sizes that fit the model.
        narrowed: share of the room that was left after chunks turned out too big; 1.0 at first.
    """

    source: SourceText
    elements: list[MarkdownElement]
    root: Section
    budget: TokenBudget
    config: ChunkingConfig
    narrowed: float = 1.0

    def narrower(self, share: float) -> "ParsedDocument":
        """The same with a share of the room, for tokenizers whose counts do not add up exactly."""
        limit = max(1, int(self.budget.limit * share))
        target = min(self.config.target_tokens, limit)
        return replace(
            self,
            budget=replace(self.budget, limit=limit),
            config=replace(self.config, target_tokens=target, min_tokens=min(self.config.min_tokens, target)),
            narrowed=self.narrowed * share,
        )

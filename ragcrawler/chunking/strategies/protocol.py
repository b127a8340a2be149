"""The `ChunkingStrategy` Protocol."""

from collections.abc import Iterator
from typing import Protocol

from ragcrawler.chunking.parsing.document import ParsedDocument
from ragcrawler.chunking.strategies.draft import Draft


class ChunkingStrategy(Protocol):
    """Decides which parts of a document become chunks."""

    def __call__(self, document: ParsedDocument) -> Iterator[Draft]:
        """Drafts in document order that together hold all of its text; none over `document.budget.limit`."""

"""The Protocols of strategies, and of the embedder that the semantic one needs."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from ragcrawler.chunking.parsing.document import ParsedDocument
from ragcrawler.chunking.strategies.draft import Draft


class SentenceEmbedder(Protocol):
    """Makes vectors of sentences; those of like meaning lie near each other."""

    def embed_documents(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """A vector for each text."""


class ChunkingStrategy(Protocol):
    """Decides which parts of a document become chunks."""

    def __call__(self, document: ParsedDocument) -> Iterator[Draft]:
        """Drafts in document order that together hold all of its text; none over `document.budget.limit`."""

"""The `SentenceEmbedder` Protocol of the semantic strategy."""

from collections.abc import Sequence
from typing import Protocol


class SentenceEmbedder(Protocol):
    """Makes vectors of sentences; those of like meaning lie near each other."""

    def embed_documents(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """A vector for each text."""

"""Bounds on what one document may become."""

from typing import Literal

from ragcrawler.chunking.config import ChunkingConfig
from ragcrawler.items import SemanticChunk

ChunkBound = Literal["too_many_chunks", "chunks_too_large"]


class ChunkBoundError(ValueError):
    """A document would have more chunks than one may have, or bigger ones.

    Attributes:
        reason: a short word to count by.
    """

    def __init__(self, reason: ChunkBound, message: str) -> None:
        super().__init__(message)
        self.reason: ChunkBound = reason


class DocumentBounds:
    """Adds up the chunks of one document while they are made."""

    def __init__(self, config: ChunkingConfig) -> None:
        self._config = config
        self._bytes = 0

    def expect(self, chunks: int) -> None:
        """Say how many chunks there will be.

        Raises:
            ChunkBoundError: they are too many.
        """
        if 0 < self._config.max_chunks < chunks:
            raise ChunkBoundError(
                "too_many_chunks", f"{chunks} chunks, over max_chunks = {self._config.max_chunks}"
            )

    def add(self, chunk: SemanticChunk) -> None:
        """Count a chunk.

        Raises:
            ChunkBoundError: all together are too big.
        """
        self._bytes += stored_bytes(chunk)
        if 0 < self._config.max_stored_bytes < self._bytes:
            bound = f"over max_stored_bytes = {self._config.max_stored_bytes}"
            raise ChunkBoundError(
                "chunks_too_large", f"{chunk.position + 1} of its chunks hold {self._bytes} bytes, {bound}"
            )


def stored_bytes(chunk: SemanticChunk) -> int:
    """About the bytes of a chunk's payload: its texts, as often as they stand in it; no vectors."""
    twice = (chunk.source_url, *chunk.section_path)
    once = (
        chunk.content,
        chunk.embed_text.removesuffix(chunk.content),
        chunk.context_before,
        chunk.context_after,
        chunk.document_title,
        chunk.parent_section,
        chunk.section_title,
        chunk.extra.full_text,
        *(text for _, text in chunk.headers),
    )
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in (*twice, *twice, *once))

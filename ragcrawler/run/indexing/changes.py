"""Compare the chunks of a document with the stored ones."""

from collections.abc import Mapping
from dataclasses import dataclass

from ragcrawler.catalogue import DocumentRecord
from ragcrawler.items import SemanticChunk


@dataclass(frozen=True, slots=True)
class Changes:
    """The smallest work for one document.

    Attributes:
        new: chunks that the store does not have.
        reembedded: chunks that it has, but with vectors of another text.
        rewritten: chunks whose vectors stand, while their place, neighbours or section changed.
        stale: ids of chunks that the document no longer has.
        unchanged: chunks that are as they should be.
    """

    new: tuple[SemanticChunk, ...] = ()
    reembedded: tuple[SemanticChunk, ...] = ()
    rewritten: tuple[SemanticChunk, ...] = ()
    stale: tuple[str, ...] = ()
    unchanged: int = 0

    @property
    def are_none(self) -> bool:
        """Whether the store is right already."""
        return not (self.new or self.reembedded or self.rewritten or self.stale)

    @property
    def has_stored(self) -> bool:
        """Whether the store has anything of the document."""
        return bool(self.unchanged or self.reembedded or self.rewritten or self.stale)


def find_changes(
    chunks: tuple[SemanticChunk, ...], stored: Mapping[str, str], before: DocumentRecord | None
) -> Changes:
    """Hold a document's chunks against what is stored of it.

    A chunk counts as it should be where the store has its vectors and the catalogue its other fields; those
    of an unfinished document may have been written, in part or not at all.

    Args:
        chunks: with vectors where the store does not have them.
        stored: chunk id to embed hash, of the store.
        before: what the catalogue knows.
    """
    is_unsure = before is not None and before.is_unfinished
    sure = {known.id: known for known in before.chunks} if before and not is_unsure else {}
    new, reembedded, rewritten, unchanged = [], [], [], 0
    for chunk in chunks:
        if chunk.id not in stored:
            new.append(chunk)
        elif chunk.vectors is not None and (is_unsure or stored[chunk.id] != chunk.embed_hash):
            reembedded.append(chunk)
        elif (known := sure.get(chunk.id)) and known.describes(chunk):
            unchanged += 1
        else:
            rewritten.append(chunk)
    kept = {chunk.id for chunk in chunks}
    stale = tuple(chunk_id for chunk_id in stored if chunk_id not in kept)
    return Changes(tuple(new), tuple(reembedded), tuple(rewritten), stale, unchanged)

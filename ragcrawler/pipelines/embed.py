"""Chunks in, chunks with vectors out."""

from dataclasses import replace

from ragcrawler.items import Document, SemanticChunk, Vectors
from ragcrawler.pipelines.embedded import Embedded
from ragcrawler.pipelines.stage import Stage


class EmbedPipeline(Stage):
    """Makes the vectors that the store does not have yet.

    A chunk whose `embed_hash` the store knows keeps its vectors there and goes on without. One that cannot be
    embedded, or for which there was no time before a shutdown, stays behind; the others are stored.
    """

    name = "embed"

    async def process_item(self, document: Document) -> Embedded:
        """Embed the chunks that are new."""
        known = await self.workshop.known(document.id)
        new = [chunk for chunk in document.chunks if known.get(chunk.id) != chunk.embed_hash]
        outcomes = dict(zip((chunk.id for chunk in new), await self.workshop.embed(new), strict=True))
        self.count("embed/unchanged", len(document.chunks) - len(new))
        self.count("embed/texts", sum(isinstance(outcome, Vectors) for outcome in outcomes.values()))
        errors = [outcome for outcome in outcomes.values() if isinstance(outcome, BaseException)]
        ready = tuple(_with_vectors(document.chunks, outcomes))
        missing = len(document.chunks) - len(ready)
        self.count("embed/lost", missing)
        return Embedded(replace(document, chunks=ready), missing, errors[0] if errors else None)


def _with_vectors(
    chunks: tuple[SemanticChunk, ...], outcomes: dict[str, Vectors | BaseException | None]
) -> list[SemanticChunk]:
    ready = []
    for chunk in chunks:
        outcome = outcomes.get(chunk.id)
        if chunk.id not in outcomes:
            ready.append(chunk)
        elif isinstance(outcome, Vectors):
            ready.append(replace(chunk, vectors=outcome))
    return ready

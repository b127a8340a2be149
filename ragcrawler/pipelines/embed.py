"""Chunks in, chunks with vectors out."""

from dataclasses import replace

from ragcrawler.embedding.vector_cache import VectorCache
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
        made = await self.workshop.embed(new)
        outcomes = dict(zip((chunk.id for chunk in new), made.outcomes, strict=True))
        with_vectors = sum(isinstance(outcome, Vectors) for outcome in made.outcomes)
        self.count("embed/unchanged", len(document.chunks) - len(new))
        self.count("embed/cached", made.cached)
        self.count("embed/texts", with_vectors - made.cached)
        self._count_cache_faults(made.cache)
        errors = [outcome for outcome in outcomes.values() if isinstance(outcome, BaseException)]
        ready = tuple(_with_vectors(document.chunks, outcomes))
        missing = len(document.chunks) - len(ready)
        self.count("embed/lost", missing)
        return Embedded(replace(document, chunks=ready), missing, errors[0] if errors else None)

    def _count_cache_faults(self, cache: VectorCache) -> None:
        self.crawler.stats.max_value("ragcrawler/embed/cache_damaged", cache.damaged)
        self.crawler.stats.max_value("ragcrawler/embed/cache_failures", cache.failures)


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

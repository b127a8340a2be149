"""Chunks in, chunks with vectors out."""

from dataclasses import replace

from ragcrawler.catalogue import CatalogueError
from ragcrawler.embedding.cache.vector_cache import VectorCache
from ragcrawler.items import Document, SemanticChunk, Vectors
from ragcrawler.pipelines.embedded import Embedded
from ragcrawler.pipelines.stage import Stage
from ragcrawler.run.outcomes import PageFailed
from ragcrawler.stores import StoreError


class EmbedPipeline(Stage):
    """Makes the vectors that the store does not have yet.

    A chunk whose `embed_hash` the store knows keeps its vectors there and goes on without. One that cannot be
    embedded, or for which there was no time before a shutdown, stays behind; the others are stored.
    """

    name = "embed"

    async def work(self, document: Document) -> Embedded:
        """Embed the chunks that are new; a dry run only counts them.

        Raises:
            PageFailed: store or catalogue cannot be asked what they have.
        """
        new = await self._new(document)
        self.count("embed/unchanged", len(document.chunks) - len(new))
        if self.run.options.is_dry:
            self.count("embed/texts", len(new))
            return Embedded(document)
        made = await self.resources.embed(new)
        outcomes = dict(zip((chunk.id for chunk in new), made.outcomes, strict=True))
        vectors = {each: outcome for each, outcome in outcomes.items() if isinstance(outcome, Vectors)}
        self.count("embed/cached", made.cached)
        self.count("embed/texts", len(vectors) - made.cached)
        self._count_cache_faults(made.cache)
        lost = frozenset(outcomes.keys() - vectors.keys())
        self.count("embed/lost", len(lost))
        errors = [outcome for outcome in outcomes.values() if isinstance(outcome, BaseException)]
        chunks = tuple(
            replace(chunk, vectors=vectors[chunk.id]) if chunk.id in vectors else chunk
            for chunk in document.chunks
        )
        return Embedded(replace(document, chunks=chunks), lost, errors[0] if errors else None)

    async def _new(self, document: Document) -> list[SemanticChunk]:
        try:
            known = await self.resources.collection.embed_hashes(document.id)
        except (StoreError, CatalogueError) as error:
            self.count("embed/lost", len(document.chunks))
            raise PageFailed("store_error", self.name, error) from error
        return [chunk for chunk in document.chunks if known.get(chunk.id) != chunk.embed_hash]

    def _count_cache_faults(self, cache: VectorCache) -> None:
        self.crawler.stats.max_value("ragcrawler/embed/cache_damaged", cache.damaged)
        self.crawler.stats.max_value("ragcrawler/embed/cache_failures", cache.failures)

"""Chunks that are there, made fit for other models: vectors, token counts and hashes, without their pages."""

from collections.abc import Sequence
from dataclasses import replace

from ragcrawler.bootstrap.models.collection_embedders import embedding_counter
from ragcrawler.chunking.output.identity import embed_hash
from ragcrawler.chunking.parsing.hidden_text import visible
from ragcrawler.embedding.embedders import Embedders
from ragcrawler.items import SemanticChunk
from ragcrawler.stores import StoreError


class Reembedding:
    """Re-embed chunks for other models: vectors, token counts and hashes change, the content stays."""

    def __init__(self, embedders: Embedders) -> None:
        self._embedders = embedders
        self._limit = embedders.limit_tokens
        self._tokens = embedding_counter(embedders)

    def renew(self, chunk: SemanticChunk) -> SemanticChunk:
        """The chunk counted and hashed for the models, without vectors.

        Raises:
            StoreError: the models do not read so long a text whole.
        """
        size, whole = self._tokens.count_batch([visible(chunk.content), chunk.embed_text])
        if whole > self._limit and not chunk.extra.oversized:
            raise StoreError(
                f"Chunk {chunk.chunk_id!r} of {chunk.source_url!r} has {whole} tokens for "
                f"{self._embedders.dense.description.name!r}, which reads {self._limit}. "
                "It would have to be cut anew, and only its page can be: crawl into the new collection, "
                "-s QDRANT_COLLECTION=NEW, then `scrapy reindex --into NEW --only-switch`."
            )
        fresh = embed_hash(chunk.embed_text, self._embedders.name)
        return replace(chunk, token_count=size, embed_hash=fresh, vectors=None)

    def embed(self, chunks: Sequence[SemanticChunk]) -> list[SemanticChunk]:
        """Renewed chunks with their vectors, in their order.

        Raises:
            EmbeddingError: the models failed.
        """
        vectors = self._embedders.embed(chunks)
        return [replace(chunk, vectors=each) for chunk, each in zip(chunks, vectors, strict=True)]

    def __call__(self, chunks: Sequence[SemanticChunk]) -> list[SemanticChunk]:
        """Chunks of anywhere, renewed and with vectors.

        Raises:
            StoreError: one is too long for the models.
            EmbeddingError: the models failed.
        """
        return self.embed([self.renew(chunk) for chunk in chunks])

"""The vectors of chunks: what the cache has, what the models make, and what an interruption leaves."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ragcrawler.bootstrap.models.collection_embedders import open_collection_embedders
from ragcrawler.bootstrap.models.vector_cache import open_vector_cache
from ragcrawler.config.configuration import Configuration
from ragcrawler.config.defaults import project_settings
from ragcrawler.embedding.cache.cached_embedder import CachedEmbedder
from ragcrawler.embedding.cache.vector_codec import DenseCodec
from ragcrawler.embedding.embedders import Embedders
from ragcrawler.embedding.families.hashing_embedders import HashingDense, HashingSparse
from ragcrawler.embedding.protocol import DenseVector
from ragcrawler.items import SemanticChunk, Vectors
from ragcrawler.run.indexing.chunk_embedder import ChunkEmbedder

TEXTS = ["How logs are rotated", "Where the cat sleeps", "Who waters the plants"]


@pytest.fixture
def embedders(tmp_path: Path) -> Embedders:
    return opened(tmp_path)


def opened(folder: Path) -> Embedders:
    settings = project_settings(
        OUTPUT_DIR=str(folder), EMBEDDING_MODEL="hashing/384", SPARSE_EMBEDDING_MODEL="hashing/sparse"
    )
    configuration = Configuration.from_settings(settings)
    return open_collection_embedders(configuration, None, open_vector_cache(configuration))


def chunks(texts: Sequence[str]) -> list[SemanticChunk]:
    return [
        SemanticChunk(
            id=text,
            chunk_id=text,
            document_id="d",
            content=text,
            content_hash="",
            token_count=5,
            embed_text=text,
            start=0,
            end=len(text),
            position=position,
        )
        for position, text in enumerate(texts)
    ]


class Refusing(HashingDense):
    """Cannot embed what is about cats."""

    def embed_batch(self, texts: Sequence[str]) -> list[DenseVector]:
        if any("cat" in text for text in texts):
            raise ValueError("cats")
        return super().embed_batch(texts)


async def test_the_vectors_are_those_of_the_models_cached_or_not(
    embedders: Embedders, tmp_path: Path
) -> None:
    expected = tuple(
        Vectors(HashingDense().embed_query(text), HashingSparse().embed_query(text)) for text in TEXTS
    )
    maker = ChunkEmbedder(embedders, lambda: True)
    first = await maker.embed(chunks(TEXTS[:2]))
    assert (first.outcomes, first.cached) == (expected[:2], 0)
    await maker.close()
    again = ChunkEmbedder(opened(tmp_path), lambda: True)
    second = await again.embed(chunks(TEXTS))
    assert (second.outcomes, second.cached) == (expected, 2)
    await again.close()


async def test_a_text_is_cached_only_when_both_kinds_are(embedders: Embedders) -> None:
    embedders.dense.embed_batch(TEXTS)
    maker = ChunkEmbedder(embedders, lambda: True)
    made = await maker.embed(chunks(TEXTS))
    assert made.cached == 0
    assert all(isinstance(outcome, Vectors) for outcome in made.outcomes)
    await maker.close()


async def test_the_error_of_one_text_is_its_own(embedders: Embedders) -> None:
    refusing = replace(embedders, dense=CachedEmbedder(Refusing(), embedders.cache, DenseCodec(384)))
    maker = ChunkEmbedder(refusing, lambda: True)
    outcomes = (await maker.embed(chunks(TEXTS))).outcomes
    assert [type(outcome) for outcome in outcomes] == [Vectors, ValueError, Vectors]
    await maker.close()


async def test_after_an_interruption_the_cache_still_answers_and_the_rest_stays_undone(
    embedders: Embedders,
) -> None:
    embedders.embed(chunks(TEXTS[:1]))
    maker = ChunkEmbedder(embedders, lambda: False)
    made = await maker.embed(chunks(TEXTS))
    assert isinstance(made.outcomes[0], Vectors)
    assert made.outcomes[1:] == (None, None)
    assert made.cached == 1
    await maker.close()

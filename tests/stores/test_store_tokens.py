"""Token vectors in every store: written, searched, read back, copied, and gone with their chunk."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ragcrawler.items import DenseWithTokens, SemanticChunk, SparseVector, Vectors, tokens_of
from ragcrawler.stores import ChunkStore, CollectionModels, StoreConfig, StoreError, open_store
from ragcrawler.stores.exports import ExportHeader, read_export, write_export
from ragcrawler.stores.owner.codec import (
    chunk_from,
    chunk_json,
    point_from,
    point_json,
    request_from,
    request_json,
    vector_from,
    vector_json,
)
from ragcrawler.stores.point_checksum import point_checksum
from ragcrawler.stores.search_request import Ranking, SearchRequest
from ragcrawler.stores.transfer.chunks_with_vectors import chunks_with_vectors
from ragcrawler.stores.transfer.rebuild import finish

NEAR, FAR, OTHER = bytes([255, 128, 128, 1]), bytes([1, 128, 128, 255]), bytes([128, 255, 1, 128])
TOKENS = [(FAR, OTHER), (OTHER, NEAR), (), (NEAR, NEAR)]


@pytest.fixture
def models(collection_models: CollectionModels) -> CollectionModels:
    return replace(collection_models, tokens="pairs-int8-1")


@pytest.fixture
def chunks(make_chunk: Callable[..., SemanticChunk]) -> list[SemanticChunk]:
    """Four chunks, dense ranks 0 to 3; by tokens 3 and 1 are nearest to `NEAR`, then 0, and 2 has none."""
    return [
        make_chunk(
            number, vectors=Vectors((1.0, 0.2 * number, 0.0, 0.0), SparseVector((7,), (1.0,)), TOKENS[number])
        )
        for number in range(len(TOKENS))
    ]


@pytest.fixture(params=["memory", "edge", "server"])
def config(request: pytest.FixtureRequest, tmp_path: Path) -> StoreConfig:
    url = request.getfixturevalue("start_rest_double")().url if request.param == "server" else ""
    return StoreConfig(url=url, folder=tmp_path, kind=request.param)


@pytest.fixture
def store(config: StoreConfig, models: CollectionModels, chunks: list[SemanticChunk]) -> Iterator[ChunkStore]:
    with open_store(config) as store:
        store.create(models)
        store.upsert(chunks)
        yield store


def asked(*tokens: bytes, weight: float = 1.0, dense: float = 0.001) -> SearchRequest:
    ranking = Ranking("dense", (1.0, 0.0, 0.0, 0.0), dense)
    return SearchRequest((ranking,), 10, tokens=tokens, token_weight=weight, fusion="dbsf")


def order(store: ChunkStore, request: SearchRequest, chunks: list[SemanticChunk]) -> list[int]:
    ids = [chunk.id for chunk in chunks]
    return [ids.index(hit.chunk.id) for hit in store.search(request)]


def test_the_nearest_tokens_come_first_and_chunks_without_any_last(
    store: ChunkStore, chunks: list[SemanticChunk]
) -> None:
    assert order(store, asked(NEAR, NEAR), chunks) == [1, 3, 0, 2]
    assert order(store, asked(NEAR, OTHER), chunks)[0] == 1
    assert order(store, asked(FAR, OTHER), chunks)[0] == 0
    assert order(store, asked(NEAR, weight=0.0), chunks) == [0, 1, 2, 3]
    assert order(store, asked(weight=1.0), chunks) == [0, 1, 2, 3]


def test_they_are_read_back_to_the_byte_and_stand_in_the_checksum(
    store: ChunkStore, chunks: list[SemanticChunk]
) -> None:
    points = {point.id: point for point in store.points()}
    assert [points[chunk.id].tokens for chunk in chunks] == TOKENS
    assert {chunk.id: chunk.vectors.tokens for chunk in chunks_with_vectors(store) if chunk.vectors} == {
        chunk.id: tokens for chunk, tokens in zip(chunks, TOKENS, strict=True)
    }
    point = points[chunks[0].id]
    assert point_checksum(point) != point_checksum(point._replace(tokens=(FAR, NEAR)))


def test_a_new_payload_leaves_them_and_new_vectors_replace_them(
    store: ChunkStore, chunks: list[SemanticChunk]
) -> None:
    store.upsert([replace(chunks[1], vectors=None, position=9)])
    [point] = store.points([chunks[1].id])
    assert point.tokens == TOKENS[1]
    vectors = replace(chunks[1].vectors, tokens=(FAR,))  # type: ignore[type-var]  # it has some
    store.upsert([replace(chunks[1], vectors=vectors)])
    assert order(store, asked(NEAR), chunks)[0] == 3
    store.upsert([replace(chunks[1], vectors=replace(vectors, tokens=()))])
    [point] = store.points([chunks[1].id])
    assert point.tokens == ()
    store.delete([chunks[3].id])
    assert order(store, asked(NEAR), chunks)[0] == 0


def test_one_of_another_length_is_refused(store: ChunkStore, chunks: list[SemanticChunk]) -> None:
    vectors = replace(chunks[0].vectors, tokens=(NEAR, b"abc"))  # type: ignore[type-var]  # it has some
    with pytest.raises(StoreError, match="a token vector has not the 4 bytes"):
        store.upsert([replace(chunks[0], vectors=vectors)])
    with pytest.raises(StoreError, match="a token vector has not the 4 bytes"):
        store.search(asked(b"abc"))


def test_a_collection_without_them_keeps_none_and_refuses_to_rank_by_them(
    config: StoreConfig, collection_models: CollectionModels, chunks: list[SemanticChunk]
) -> None:
    with open_store(replace(config, collection="plain")) as store:
        store.create(collection_models)
        store.upsert(chunks)
        assert {point.tokens for point in store.points()} == {()}
        with pytest.raises(StoreError, match=r"holds no token vectors.*TOKEN_VECTORS=1"):
            store.search(asked(NEAR))
        with pytest.raises(StoreError, match="token vectors"):
            store.create(replace(collection_models, tokens="pairs-int8-1"))


def test_a_reindexed_collection_has_the_same(
    store: ChunkStore, config: StoreConfig, models: CollectionModels, chunks: list[SemanticChunk]
) -> None:
    with open_store(replace(config, collection="copy")) as target:
        target.create(models)
        assert finish(store, target, None).written == len(chunks)
        assert {point.id: point.tokens for point in target.points()} == {
            point.id: point.tokens for point in store.points()
        }


def test_an_embedded_collection_that_is_opened_again_remembers_them(
    tmp_path: Path, models: CollectionModels, chunks: list[SemanticChunk]
) -> None:
    config = StoreConfig(folder=tmp_path)
    with open_store(config) as store:
        store.create(models)
        store.upsert(chunks)
        store.optimize()
    with open_store(config) as store:
        assert store.models() == models
        assert order(store, asked(NEAR, NEAR), chunks) == [1, 3, 0, 2]
        assert {point.tokens for point in store.points()} == set(TOKENS)


@pytest.mark.parametrize("file_format", ["jsonl", "parquet"])
def test_exports_carry_them(
    file_format: str, tmp_path: Path, models: CollectionModels, chunks: list[SemanticChunk]
) -> None:
    with (tmp_path / "export").open("wb") as file:
        write_export(file, file_format, ExportHeader(models, has_vectors=True), chunks)  # type: ignore[arg-type]
    with (tmp_path / "export").open("rb") as file:
        header, read = read_export(file)
        assert header.models.tokens == models.tokens
        assert [chunk.vectors.tokens for chunk in read if chunk.vectors] == TOKENS


def test_the_owner_s_socket_carries_them(store: ChunkStore, chunks: list[SemanticChunk]) -> None:
    assert [chunk_from(chunk_json(chunk)).vectors.tokens for chunk in chunks] == TOKENS  # type: ignore[union-attr]
    assert {point_from(point_json(point)).tokens for point in store.points()} == set(TOKENS)
    assert request_from(request_json(asked(NEAR, FAR))).tokens == (NEAR, FAR)
    question = vector_from(json.loads(json.dumps(vector_json(DenseWithTokens((0.5, 1.0), (NEAR, FAR))))))
    assert (list(question), tokens_of(question)) == ([0.5, 1.0], (NEAR, FAR))  # type: ignore[arg-type]

"""A retriever over a collection on disk, and which models it loads for which question."""

from pathlib import Path
from uuid import UUID

import pytest

from ragcrawler.bootstrap import StartError, open_retriever
from ragcrawler.embedding.families.hashing_embedders import (
    HASHING_DENSE,
    HASHING_SPARSE,
    HashingDense,
    HashingSparse,
)
from ragcrawler.items import SemanticChunk, Vectors
from ragcrawler.stores import CollectionModels, StoreConfig, open_store

CONTENT = "Rotate the logs."


def fill(folder: Path, dense: str, sparse: str) -> None:
    vectors = Vectors(HashingDense().embed_query(CONTENT), HashingSparse().embed_query(CONTENT))
    with open_store(StoreConfig(folder=folder / "qdrant")) as store:
        store.create(CollectionModels(dense, HASHING_DENSE.dimensions, sparse))
        store.upsert(
            [
                SemanticChunk(
                    id=str(UUID(int=1)),
                    chunk_id="c",
                    document_id="d",
                    content=CONTENT,
                    content_hash="",
                    token_count=3,
                    embed_text=CONTENT,
                    start=0,
                    end=1,
                    position=0,
                    vectors=vectors,
                )
            ]
        )


def test_words_are_searched_without_the_collections_models(tmp_path: Path) -> None:
    fill(tmp_path, "folder/that-is-gone", "folder/likewise")
    with open_retriever(OUTPUT_DIR=str(tmp_path), QDRANT_URL="") as retriever:
        [(chunk, _)] = retriever.search("rotating logs", mode="bm25")
        assert chunk.content == CONTENT
        with pytest.raises(StartError, match="that-is-gone"):
            retriever.search("rotating logs")


@pytest.mark.parametrize("mode", ["hybrid", "dense", "sparse"])
def test_models_are_loaded_when_a_question_wants_them(tmp_path: Path, mode: str) -> None:
    fill(tmp_path, HASHING_DENSE.name, HASHING_SPARSE.name)
    with open_retriever(OUTPUT_DIR=str(tmp_path), QDRANT_URL="") as retriever:
        for _ in range(2):
            assert [chunk.content for chunk, _ in retriever.search("logs", 1, mode=mode)] == [CONTENT]


def test_the_settings_choose_how_a_hybrid_search_fuses(tmp_path: Path) -> None:
    fill(tmp_path, HASHING_DENSE.name, HASHING_SPARSE.name)
    fusion = {"HYBRID_FUSION": "rrf", "HYBRID_WEIGHTS": "dense=1,sparse=1,bm25=4"}
    with open_retriever(OUTPUT_DIR=str(tmp_path), QDRANT_URL="", **fusion) as retriever:
        [(_, score)] = retriever.search("logs", 1)
    assert score == pytest.approx(6 / 61)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"RERANKER": "llm", "LLM_MODEL": ""}, "set LLM_MODEL"),
        ({"HYBRID_WEIGHTS": "dense"}, "HYBRID_WEIGHTS is 'dense'"),
        ({"RERANK_TIMEOUT_SECONDS": 0}, "RERANK_TIMEOUT_SECONDS is 0"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_and_leaves_the_collection_free(
    tmp_path: Path, settings: dict, message: str
) -> None:
    fill(tmp_path, HASHING_DENSE.name, HASHING_SPARSE.name)
    with pytest.raises(StartError, match=message):
        open_retriever(OUTPUT_DIR=str(tmp_path), QDRANT_URL="", **settings)
    open_retriever(OUTPUT_DIR=str(tmp_path), QDRANT_URL="").close()

"""What docs/search.md shows is what happens."""

import re
from dataclasses import fields
from pathlib import Path
from uuid import UUID

import pytest

from ragcrawler.embedding.families.hashing_embedders import (
    HASHING_DENSE,
    HASHING_SPARSE,
    HashingDense,
    HashingSparse,
)
from ragcrawler.items import ChunkExtra, SemanticChunk, Vectors
from ragcrawler.stores import CollectionModels, StoreConfig, open_store
from ragcrawler.stores.payload import chunk_payload

PAGE = (Path(__file__).parents[2] / "docs" / "search.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
CONTENT = "To rotate the logs, run logrotate."


def chunk() -> SemanticChunk:
    vectors = Vectors(HashingDense().embed_query(CONTENT), HashingSparse().embed_query(CONTENT))
    return SemanticChunk(
        id=str(UUID(int=1)),
        chunk_id="chunk_1",
        document_id="d",
        content=CONTENT,
        content_hash="",
        token_count=7,
        embed_text=CONTENT,
        start=0,
        end=len(CONTENT),
        position=0,
        section_path=("Guide", "Logs"),
        chunk_link="https://docs.example/guide#logs",
        vectors=vectors,
    )


@pytest.mark.parametrize(
    ("program", "printed"),
    [
        (PROGRAMS[0], "1.3659 Guide > Logs https://docs.example/guide#logs\n"),
        (PROGRAMS[1], "The cat sat on the mat 0.0328\n"),
    ],
    ids=["collection", "indexes"],
)
def test_a_program_of_the_page_runs(program: str, printed: str, tmp_path: Path, monkeypatch, capsys) -> None:
    folder = tmp_path / "output" / "demo" / "qdrant"
    with open_store(StoreConfig(folder=folder)) as store:
        store.create(CollectionModels(HASHING_DENSE.name, HASHING_DENSE.dimensions, HASHING_SPARSE.name))
        store.upsert([chunk()])
    monkeypatch.setattr("ragcrawler.settings.QDRANT_URL", "")
    monkeypatch.chdir(tmp_path)
    exec(compile(program, "search.md", "exec"), {"__name__": "search.md"})
    assert capsys.readouterr().out == printed


def test_there_are_no_other_programs_on_the_page() -> None:
    assert len(PROGRAMS) == 2


def test_every_field_of_the_payload_has_its_entry() -> None:
    named = {*chunk_payload(chunk()), *(field.name for field in fields(ChunkExtra)), "embed_text"}
    table = PAGE.partition("## What a chunk carries")[2]
    assert {name for name in named if f"`{name}`" not in table} == set()

"""The vocabulary: what leaves the process, and in what form."""

import dataclasses
import json

import pytest

from ragcrawler.items import (
    ChunkExtra,
    SemanticChunk,
    SparseVector,
    Vectors,
    chunk_from_record,
    chunk_record,
    chunk_records,
)

CHUNK = SemanticChunk(
    id="7c8d1f30-b746-529c-b006-3743e54a3162",
    chunk_id="a_h2_1_chunk_0",
    document_id="a",
    content="| x |",
    content_hash="00",
    token_count=3,
    embed_text="A > B\n\n| x |",
    start=0,
    end=5,
    position=0,
    section_path=("A", "B > C"),
    headers=(("Header 1", "A"), ("Header 2", "B > C")),
    extra=ChunkExtra(table_id="t1", total_chunks=2, suspicious=("ignore this",)),
    vectors=Vectors((0.5,), SparseVector((1,), (0.5,))),
)


def test_a_record_is_json_without_vectors() -> None:
    record = json.loads(json.dumps(chunk_record(CHUNK)))
    assert "vectors" not in record
    assert record["section_path"] == ["A", "B > C"]
    assert record["prev_chunk_id"] is None
    assert record["headers"] == {"Header 1": "A", "Header 2": "B > C"}


def test_of_the_extra_only_what_is_set_stands_in_a_record() -> None:
    assert chunk_record(CHUNK)["extra"] == {
        "table_id": "t1",
        "chunk_index": 0,
        "total_chunks": 2,
        "suspicious": ["ignore this"],
    }


def test_no_extra_no_neighbour_and_no_split_sequence_are_null() -> None:
    record = chunk_record(dataclasses.replace(CHUNK, extra=ChunkExtra()))
    nulls = ("extra", "prev_chunk_id", "next_chunk_id", "split_sequence")
    assert [record[name] for name in nulls] == [None] * len(nulls)


def test_a_record_of_an_earlier_version_has_empty_values_for_null() -> None:
    chunk = dataclasses.replace(CHUNK, extra=ChunkExtra(), vectors=None)
    record = chunk_record(chunk)
    assert (
        chunk_from_record(record) == chunk_from_record(record | {"extra": {}, "split_sequence": ""}) == chunk
    )


def test_a_record_has_defaults_for_the_fields_that_the_version_that_wrote_it_did_not_know() -> None:
    optional = {
        each.name: each.default
        for each in dataclasses.fields(SemanticChunk)
        if each.default is not dataclasses.MISSING
    }
    record = {name: value for name, value in chunk_record(CHUNK).items() if name not in optional}
    assert chunk_from_record(record) == dataclasses.replace(CHUNK, **optional)
    del record["content"]
    with pytest.raises(TypeError, match="content"):
        chunk_from_record(record)


def test_a_feed_shows_the_chunks_in_their_order() -> None:
    other = dataclasses.replace(CHUNK, position=1)
    assert [record["position"] for record in chunk_records([CHUNK, other])] == [0, 1]


def test_a_value_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        CHUNK.content = "other"  # type: ignore[misc]

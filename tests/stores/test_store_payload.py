import json
from dataclasses import MISSING, fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from ragcrawler.items import ChunkExtra, SemanticChunk, SparseVector, Vectors, chunk_record
from ragcrawler.stores.payload import chunk_from_payload, chunk_payload

texts = some.text(max_size=30)
extras = some.builds(
    ChunkExtra,
    table_id=texts,
    list_id=texts,
    chunk_index=some.integers(0, 99),
    item_range=texts,
    oversized=some.booleans(),
    full_text=texts,
    suspicious=some.lists(texts, max_size=3).map(tuple),
)
chunks = some.builds(
    SemanticChunk,
    id=texts,
    chunk_id=texts,
    document_id=texts,
    content=texts,
    content_hash=texts,
    token_count=some.integers(0),
    embed_text=texts,
    start=some.integers(0),
    end=some.integers(0),
    position=some.integers(0),
    section_path=some.lists(texts | some.just("a > b"), max_size=4).map(tuple),
    headers=some.lists(texts, max_size=6).map(
        lambda t: tuple((f"Header {n}", h) for n, h in enumerate(t, 1))
    ),
    is_continuation=some.booleans(),
    extra=extras,
    vectors=some.none(),
)


@settings(deadline=None, max_examples=60)
@given(chunks)
def test_every_chunk_survives_its_payload_as_json_with_sorted_keys(chunk: SemanticChunk) -> None:
    stored = json.loads(json.dumps(chunk_payload(chunk), sort_keys=True))
    assert chunk_from_payload(stored) == chunk


def test_headers_come_back_by_level_in_whatever_order_an_engine_hands_them_over(make_chunk) -> None:
    payload = chunk_payload(make_chunk(1))
    payload["headers"] = dict(reversed(payload["headers"].items()))
    assert chunk_from_payload(payload).headers == (("Header 1", "Guide"), ("Header 2", "Part 1"))


def test_vectors_are_in_neither_view_and_come_back_as_none(make_chunk) -> None:
    chunk = make_chunk(1, vectors=Vectors((1.0,) * 4, SparseVector((1,), (1.0,))))
    assert "vectors" not in chunk_payload(chunk)
    assert "vectors" not in chunk_record(chunk)
    assert chunk_from_payload(chunk_payload(chunk)) == replace(chunk, vectors=None)


def test_the_payload_has_the_fields_of_the_specifications(make_chunk) -> None:
    payload = chunk_payload(make_chunk(1, section_path=("A", "B", "C"), extra=ChunkExtra(table_id="t1")))
    assert payload["section_path"] == "A > B > C"
    assert payload["headers"] == {"Header 1": "Guide", "Header 2": "Part 1"}
    assert payload["extra"] == {"table_id": "t1", "chunk_index": 0}
    names = {field.name for field in fields(SemanticChunk)} - {"vectors", "embed_text"}
    assert names | {"section_path_list", "embed_prefix"} == set(payload)


def test_no_split_sequence_and_no_extra_are_null_and_were_empty_in_earlier_versions(make_chunk) -> None:
    payload = chunk_payload(make_chunk(1))
    assert payload["split_sequence"] is payload["extra"] is None
    assert chunk_payload(make_chunk(1, split_sequence="2/3"))["split_sequence"] == "2/3"
    old = payload | {"split_sequence": "", "extra": {}}
    assert chunk_from_payload(old) == chunk_from_payload(payload) == make_chunk(1, vectors=None)


@pytest.mark.parametrize(
    "path",
    [(), ("",), ("A > B",), ("A", "B"), ("A >", "> B"), ("A", "", "B")],
)
def test_a_heading_with_the_separator_in_it_comes_back_whole(make_chunk, path) -> None:
    chunk = make_chunk(1, section_path=path)
    assert chunk_from_payload(chunk_payload(chunk)).section_path == path


def test_the_content_is_not_stored_twice(make_chunk) -> None:
    payload = chunk_payload(make_chunk(1, content="needle", embed_text="Guide > Part 1\n\nneedle"))
    assert json.dumps(payload).count("needle") == 1


def test_a_record_has_every_field_in_order_and_the_path_as_a_list(make_chunk) -> None:
    record = chunk_record(make_chunk(1, extra=ChunkExtra(suspicious=("a",))))
    assert list(record) == [field.name for field in fields(SemanticChunk) if field.name != "vectors"]
    assert record["section_path"] == ["Guide", "Part 1"]
    assert record["extra"] == {"suspicious": ["a"]}
    assert json.loads(json.dumps(record)) == record


def test_a_payload_without_a_field_is_refused(make_chunk) -> None:
    payload = chunk_payload(make_chunk(1))
    del payload["content"]
    with pytest.raises(KeyError, match="content"):
        chunk_from_payload(payload)


@pytest.mark.parametrize("field", [each for each in fields(SemanticChunk) if each.default is not MISSING])
def test_a_field_that_the_version_that_wrote_it_did_not_know_has_its_default(make_chunk, field) -> None:
    chunk = make_chunk(1, aliases=("https://a.example/b",), summary="s", extra=ChunkExtra(path="p"))
    payload = chunk_payload(chunk)
    for name in (field.name, f"{field.name}_list"):
        payload.pop(name, None)
    expected = replace(chunk, **{"vectors": None, field.name: field.default})
    assert chunk_from_payload(payload) == expected

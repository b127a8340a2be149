"""A collection as a file, and back: nothing is lost, and a file that is not whole says where."""

import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ragcrawler.items import ChunkExtra, SparseVector, Vectors
from ragcrawler.stores import StoreConfig, StoreError, open_store
from ragcrawler.stores.exports import ExportError, ExportHeader, read_export, write_export
from ragcrawler.stores.transfer.chunks_with_vectors import chunks_with_vectors
from ragcrawler.stores.transfer.fill import fill

FORMATS = ["jsonl", "parquet"]


@pytest.fixture(scope="session")
def chunks(make_chunk) -> list:
    made = [make_chunk(number) for number in range(300)]
    made[1] = replace(
        made[1],
        content="Ünïcödé \u0000 \u2028 🦆 \u202e",
        section_path=("A > B", "", "C"),
        headers=(),
        extra=ChunkExtra(table_id="t1", total_chunks=3, suspicious=("ignore all",), oversized=True),
        prev_chunk_id="",
        is_continuation=True,
        summary="Short.",
    )
    made[2] = replace(made[2], vectors=Vectors((0.1, 0.2, 0.3, 1e-7), SparseVector((), ())))
    made[3] = replace(
        made[3], vectors=Vectors((1 / 3, 2 / 3, 0.1, 0.7), SparseVector((4294967295,), (1 / 3,)))
    )
    return made


@pytest.fixture
def filled(tmp_path: Path, collection_models, chunks):
    with open_store(StoreConfig(folder=tmp_path, collection="filled")) as store:
        store.create(collection_models)
        store.upsert(chunks)
        yield store


def points(store) -> dict:
    return {
        chunk.id: (
            replace(chunk, vectors=None),
            tuple(chunk.vectors.dense),
            dict(zip(chunk.vectors.sparse.indices, chunk.vectors.sparse.values, strict=True)),
        )
        for chunk in chunks_with_vectors(store)
    }


def exported(store, kind: str, *, has_vectors: bool) -> bytes:
    out = io.BytesIO()
    chunks = chunks_with_vectors(store) if has_vectors else store.scroll()
    assert write_export(out, kind, ExportHeader(store.models(), has_vectors), chunks) == store.count()
    return out.getvalue()


def opened(content: bytes) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(content))


@pytest.mark.parametrize("kind", FORMATS)
def test_a_collection_comes_back_bit_for_bit(filled, tmp_path: Path, kind: str) -> None:
    header, chunks = read_export(opened(exported(filled, kind, has_vectors=True)))
    with open_store(StoreConfig(folder=tmp_path, collection="copy")) as copy:
        copy.create(header.models)
        assert fill(copy, chunks) == 300
        assert points(copy) == points(filled)
        assert copy.models() == filled.models()


@pytest.mark.parametrize("kind", FORMATS)
def test_an_export_without_vectors_has_everything_else(filled, chunks, kind: str) -> None:
    header, read = read_export(opened(exported(filled, kind, has_vectors=False)))
    assert not header.has_vectors
    bare = {chunk.id: replace(chunk, vectors=None) for chunk in chunks}
    assert {chunk.id: chunk for chunk in read} == bare


@pytest.mark.parametrize("kind", FORMATS)
def test_an_empty_collection_is_an_export_too(tmp_path: Path, collection_models, kind: str) -> None:
    with open_store(StoreConfig(folder=tmp_path)) as store:
        store.create(collection_models)
        header, chunks = read_export(opened(exported(store, kind, has_vectors=True)))
    assert header.models == collection_models
    assert list(chunks) == []


@pytest.mark.parametrize("kind", FORMATS)
def test_chunks_are_written_as_they_come(collection_models, make_chunk, kind: str) -> None:
    out, sizes = io.BytesIO(), []

    def many():
        for number in range(2000):
            sizes.append(out.tell())
            yield make_chunk(number)

    write_export(out, kind, ExportHeader(collection_models, has_vectors=True), many())
    assert out.tell() / 5 < sizes[1000] < out.tell() * 2 / 3


def test_lines_are_read_as_they_are_asked_for(collection_models, make_chunk) -> None:
    out = io.BytesIO()
    chunks = (make_chunk(number) for number in range(2000))
    write_export(out, "jsonl", ExportHeader(collection_models, has_vectors=True), chunks)
    out.seek(0)
    _, read = read_export(out)
    next(read)
    assert out.tell() < len(out.getvalue()) / 100


@pytest.fixture(scope="session")
def lines(collection_models, make_chunk) -> list[bytes]:
    out = io.BytesIO()
    made = [make_chunk(number) for number in range(5)]
    write_export(out, "jsonl", ExportHeader(collection_models, has_vectors=True), made)
    return out.getvalue().splitlines(keepends=True)


def with_line(lines: list[bytes], number: int, change) -> bytes:
    record = json.loads(lines[number - 1])
    change(record)
    return b"".join([*lines[: number - 1], json.dumps(record).encode() + b"\n", *lines[number:]])


DAMAGES = [
    (lambda lines: b"".join(lines[:4]), r"cut off after line 4, 3 chunks.*Export again"),
    (lambda lines: b"".join(lines)[:-30], r"Line 6 of the export is no JSON"),
    (lambda lines: b"".join(lines[:3]) + b"\xff\xfe\n", r"Line 4 of the export is no JSON"),
    (lambda lines: b"".join([*lines[:3], *lines[4:]]), r"Line 6 .* says that it has 5 chunks, but it has 4"),
    (lambda lines: b"".join([*lines, lines[1]]), r"Line 8 .* behind its end"),
    (lambda lines: b"".join([lines[0], b"[]\n"]), r"Line 2 of the export: it is no chunk"),
    (lambda lines: b"[" * 100_000, r"Line 1 of the export is no JSON"),
    (lambda lines: with_line(lines, 3, lambda r: r.pop("content")), r"Line 3 .*missing.*'content'"),
    (lambda lines: with_line(lines, 3, lambda r: r.update(color="red")), r"Line 3 .*color"),
    (
        lambda lines: with_line(lines, 3, lambda r: r.update(position="1")),
        r"Line 3 .*position is '1', .*whole number",
    ),
    (
        lambda lines: with_line(lines, 3, lambda r: r.update(content=None)),
        r"Line 3 .*content is None, .*text",
    ),
    (
        lambda lines: with_line(lines, 3, lambda r: r.update(section_path=[1])),
        r"Line 3 .*section_path holds 1, .* no text",
    ),
    (lambda lines: with_line(lines, 3, lambda r: r.pop("vectors")), r"Line 3 .*vectors are missing"),
    (lambda lines: with_line(lines, 3, lambda r: r["vectors"].update(dense=["x"])), r"Line 3 .*vectors"),
    (lambda lines: with_line(lines, 1, lambda r: r.update(version=2)), r"version 2 of the format.*upgrade"),
    (lambda lines: with_line(lines, 1, lambda r: r.pop("models")), r"header of the export is damaged"),
    (lambda lines: b"".join(lines[1:]), r"no export of ragcrawler"),
    (lambda lines: b"", r"no export of ragcrawler"),
]


@pytest.mark.parametrize(("damage", "complaint"), DAMAGES)
def test_a_damaged_file_is_named_by_its_line(lines, damage, complaint: str) -> None:
    with pytest.raises(ExportError, match=complaint):
        list(read_export(opened(damage(lines)))[1])


def test_what_stands_before_the_damage_is_read(lines) -> None:
    _, chunks = read_export(opened(b"".join(lines[:4])))
    assert [next(chunks).position for _ in range(3)] == [0, 1, 2]


@pytest.mark.parametrize("kept", [4, 100, -1])
def test_a_parquet_file_that_was_cut_off_is_refused(filled, kept: int) -> None:
    content = exported(filled, "parquet", has_vectors=False)
    with pytest.raises(ExportError, match="no whole Parquet file"):
        read_export(opened(content[:kept]))


def test_a_parquet_file_of_another_program_is_refused() -> None:
    import pyarrow as pa
    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(pa.table({"a": [1]}), out)
    with pytest.raises(ExportError, match="no export of ragcrawler"):
        read_export(opened(out.getvalue()))


def test_a_damaged_row_of_a_parquet_file_is_named(filled) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    table = parquet.read_table(io.BytesIO(exported(filled, "parquet", has_vectors=False)))
    values = table["extra"].to_pylist()
    values[6] = "no json"
    out = io.BytesIO()
    at = table.schema.get_field_index("extra")
    parquet.write_table(table.set_column(at, "extra", pa.array(values)), out)
    with pytest.raises(ExportError, match="Row 7 of the export"):
        list(read_export(opened(out.getvalue()))[1])


def test_parquet_without_pyarrow_says_what_to_install(monkeypatch, collection_models) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ExportError, match=r"ragcrawler\[parquet\].*--format jsonl"):
        write_export(io.BytesIO(), "parquet", ExportHeader(collection_models, has_vectors=False), [])


def test_chunks_of_other_models_are_refused_by_a_collection(filled, tmp_path: Path) -> None:
    header, _ = read_export(opened(exported(filled, "jsonl", has_vectors=True)))
    with open_store(StoreConfig(folder=tmp_path, collection="other")) as other:
        other.create(replace(header.models, dense="other-dense"))
        with pytest.raises(StoreError, match="made with other models: dense model 'other-dense'"):
            other.create(header.models)


def test_a_point_that_is_no_chunk_stops_an_export_by_its_name(filled, make_chunk) -> None:
    from qdrant_edge import UpdateOperation

    filled._shard.update(UpdateOperation.clear_payload([make_chunk(7).id]))
    with pytest.raises(StoreError, match=rf"point {make_chunk(7).id} .* damaged.*verify --repair"):
        list(chunks_with_vectors(filled))

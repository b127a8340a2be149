"""The embedded store alone: other processes, killed processes, and a disk."""

import json
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.items import SparseVector, Vectors
from ragcrawler.stores import StoreBusyError, StoreConfig, StoreError, open_store
from ragcrawler.stores.collection_record import SCHEMA_VERSION
from ragcrawler.stores.errors import StoreDamagedError
from ragcrawler.stores.payload_indexes import PAYLOAD_INDEXES
from ragcrawler.stores.qdrant_embedded.folder import engine_errors
from ragcrawler.stores.search_request import Ranking, SearchRequest

QUERY = Vectors((1.0, 0.2, 0.0, 0.5), SparseVector((1,), (1.0,)))

CHILD = """
    import os, sys
    from pathlib import Path
    from uuid import UUID
    from ragcrawler.items import SemanticChunk, SparseVector, Vectors
    from ragcrawler.stores import CollectionModels, StoreConfig, open_store

    def chunk(number):
        return SemanticChunk(
            id=str(UUID(int=number + 1)), chunk_id="c", document_id="d", content=f"Passage {number}.",
            content_hash="h", token_count=1, embed_text="", start=0, end=1, position=number,
            vectors=Vectors((1.0, 0.1 * number, 0.0, 0.0), SparseVector((number,), (1.0,))),
        )

    store = open_store(StoreConfig(folder=Path(sys.argv[1])))
    store.create(CollectionModels("tiny-dense", 4, "tiny-sparse"))
    written = 0
    while True:
        store.upsert([chunk(number) for number in range(written, written + 100)])
        store.flush()
        written += 100
        print(written, flush=True)
        if sys.argv[2] == "hold":
            sys.stdin.read()
"""


def start_child(folder: Path, mode: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(CHILD), str(folder), mode],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def config(folder: Path) -> StoreConfig:
    return StoreConfig(folder=folder)


@pytest.fixture
def made(tmp_path: Path, collection_models, make_chunk) -> Path:
    """A folder with a collection of five chunks, closed."""
    with open_store(config(tmp_path)) as store:
        store.create(collection_models)
        store.upsert([make_chunk(number) for number in range(5)])
    return tmp_path


def test_what_flush_returned_for_survives_a_kill(tmp_path: Path) -> None:
    with start_child(tmp_path, "write") as child:
        acknowledged = [int(child.stdout.readline()) for _ in range(5)][-1]
        child.send_signal(signal.SIGKILL)
        acknowledged = max([acknowledged, *map(int, child.stdout.read().split())])
    with open_store(config(tmp_path)) as store:
        positions = {chunk.position for chunk in store.scroll()}
        found = store.search(SearchRequest((Ranking("sparse", SparseVector((499,), (1.0,))),), limit=1))
    assert acknowledged >= 500
    assert set(range(acknowledged)) <= positions
    assert found[0].chunk.position == 499


def test_a_second_process_is_told_who_holds_the_collection_until_that_one_is_killed(tmp_path: Path) -> None:
    with start_child(tmp_path, "hold") as child:
        assert child.stdout.readline() == "100\n"
        with pytest.raises(StoreError, match=f"process with id {child.pid};.*QDRANT_URL"):
            open_store(config(tmp_path))
        child.send_signal(signal.SIGKILL)
        child.wait()
        with open_store(config(tmp_path)) as store:
            assert store.count() == 100


def test_a_second_open_in_the_same_process_is_refused(made: Path) -> None:
    with open_store(config(made)), pytest.raises(StoreError, match=f"process with id {os.getpid()};"):
        open_store(config(made))
    with open_store(config(made)) as store:
        assert store.count() == 5


def test_the_id_of_a_killed_holder_holds_nobody_up_even_where_it_is_in_use_again(made: Path) -> None:
    (made / ".ragcrawler.lock").write_text(f"{os.getpid()} this-host\n")
    with open_store(config(made)) as store:
        assert store.count() == 5


def test_a_holder_on_another_host_is_named_with_it(made: Path) -> None:
    import fcntl

    with (made / ".ragcrawler.lock").open("w") as shared:
        shared.write("4711 far-away\n")
        shared.flush()
        fcntl.flock(shared, fcntl.LOCK_EX)
        with pytest.raises(StoreError, match="the process with id 4711 on far-away;"):
            open_store(config(made))


def test_two_that_open_before_there_is_a_collection_do_not_both_make_it(
    tmp_path: Path, collection_models
) -> None:
    with open_store(config(tmp_path)) as first, open_store(config(tmp_path)) as second:
        first.create(collection_models)
        with pytest.raises(StoreError, match="in use by the process"):
            second.create(collection_models)


def test_a_claim_keeps_others_out_before_there_is_a_collection(tmp_path: Path, collection_models) -> None:
    claim = replace(config(tmp_path / "new"), claims=True)
    with open_store(claim) as first:
        with pytest.raises(StoreBusyError, match=f"process with id {os.getpid()};"):
            open_store(claim)
        first.create(collection_models)
    with open_store(claim) as second:
        assert second.models() == collection_models


def test_the_collection_another_one_made_meanwhile_is_taken_over(
    tmp_path: Path, collection_models, make_chunk
) -> None:
    with open_store(config(tmp_path)) as late:
        with open_store(config(tmp_path)) as first:
            first.create(collection_models)
            first.upsert([make_chunk(1)])
        late.create(collection_models)
        assert late.count() == 1


def test_opening_and_looking_make_nothing_on_disk(tmp_path: Path) -> None:
    with open_store(config(tmp_path / "qdrant")) as store:
        assert store.models() is None
    assert list(tmp_path.iterdir()) == []


def test_everything_is_there_after_closing(made: Path, collection_models, make_chunk) -> None:
    with open_store(config(made)) as store:
        assert store.models() == collection_models
        assert {chunk.id for chunk in store.scroll()} == {make_chunk(number).id for number in range(5)}


def test_the_payload_indexes_are_there(made: Path) -> None:
    from qdrant_edge import EdgeShard

    shard = EdgeShard.load(str(made / "ragcrawler" / "shard"))
    kinds = {field: str(info.data_type) for field, info in shard.info().payload_schema.items()}
    assert kinds == {field: f"PayloadSchemaType.{kind.title()}" for field, kind in PAYLOAD_INDEXES.items()}
    shard.close()


def test_collections_in_one_folder_do_not_meet(made: Path, collection_models) -> None:
    with open_store(config(made)) as pages, open_store(StoreConfig(folder=made, collection="other")) as other:
        other.create(collection_models)
        assert (pages.count(), other.count()) == (5, 0)


def test_what_a_killed_creation_left_is_cleared_away(tmp_path: Path, collection_models) -> None:
    leftover = tmp_path / ".ragcrawler.new" / "shard"
    leftover.mkdir(parents=True)
    (leftover / "half").write_text("written")
    with open_store(config(tmp_path)) as store:
        assert store.models() is None
        store.create(collection_models)
        assert store.count() == 0
    assert {path.name for path in tmp_path.iterdir()} == {"ragcrawler", ".ragcrawler.lock"}


@pytest.mark.parametrize(
    "damage",
    [
        "models.json",
        "shard/edge_config.json",
        "shard/wal/*",
        "shard/segments/*/segment.json",
        "shard/segments/*/vector_storage-dense/**/*",
        "shard/segments/*/payload_storage/*",
    ],
)
def test_a_damaged_collection_is_named_with_what_to_do_and_freed(made: Path, damage: str, capfd) -> None:
    for path in (made / "ragcrawler").glob(damage):
        if path.is_file():
            path.write_bytes(b"damaged")
    for _ in range(2):
        with pytest.raises(
            StoreError, match=r"Cannot open the collection '.*/ragcrawler'.*scrapy verify --rebuild"
        ):
            open_store(config(made))


@pytest.mark.parametrize(
    "record",
    ["{}", "[]", '"x"', '{"dense": 1, "dense_dimensions": 4, "sparse": "s"}', "not json"],
)
def test_models_that_cannot_be_read_are_damage(made: Path, record: str) -> None:
    (made / "ragcrawler" / "models.json").write_text(record)
    with pytest.raises(StoreError, match="Cannot open the collection"):
        open_store(config(made))


def test_models_with_fields_of_a_later_version_are_read(made: Path, collection_models) -> None:
    path = made / "ragcrawler" / "models.json"
    path.write_text(path.read_text().replace("{", '{"reranker": "new",', 1))
    with open_store(config(made)) as store:
        assert store.models() == collection_models


def outdated(made: Path) -> Path:
    """The collection as version 1 of the schema left it: fewer indexes, no number."""
    from qdrant_edge import EdgeShard, UpdateOperation

    record = made / "ragcrawler" / "models.json"
    known = json.loads(record.read_text())
    del known["schema_version"]
    record.write_text(json.dumps(known))
    shard = EdgeShard.load(str(made / "ragcrawler" / "shard"))
    for field in ("chapter", "section_path_list"):
        shard.update(UpdateOperation.delete_field_index(field))
    shard.flush()
    shard.close()
    return record


@pytest.mark.parametrize(
    ("settings", "memory", "quantised"),
    [
        ({}, "cached", False),
        ({"on_disk": True}, "cold", False),
        ({"quantization": "scalar"}, "cached", True),
    ],
)
def test_a_new_collection_keeps_its_vectors_as_set(
    tmp_path: Path, collection_models, make_chunk, settings, memory, quantised
) -> None:
    with open_store(replace(config(tmp_path), **settings)) as store:
        store.create(collection_models)
        store.upsert([make_chunk(number) for number in range(5)])
    with open_store(config(tmp_path)) as store:
        hits = store.search(SearchRequest((Ranking("dense", QUERY.dense),), limit=3))
        assert [hit.chunk.position for hit in hits] == [2, 1, 3]
    dense = json.loads((tmp_path / "ragcrawler/shard/edge_config.json").read_text())["vectors"]["dense"]
    assert dense["memory"] == memory
    assert (dense.get("quantization_config") is not None) is quantised


def test_an_older_schema_is_migrated_when_the_collection_is_opened(made: Path, make_chunk) -> None:
    record = outdated(made)
    with open_store(config(made)) as store:
        assert set(store._shard.info().payload_schema) == set(PAYLOAD_INDEXES)
        assert {chunk.id for chunk in store.scroll()} == {make_chunk(number).id for number in range(5)}
        found = store.scroll(filters={"section_path_list": "Part 3"})
        assert [chunk.position for chunk in found] == [3]
    assert json.loads(record.read_text())["schema_version"] == SCHEMA_VERSION


def test_a_newer_schema_is_refused_with_the_way_out(made: Path) -> None:
    record = made / "ragcrawler" / "models.json"
    record.write_text(record.read_text().replace(f": {SCHEMA_VERSION}", f": {SCHEMA_VERSION + 1}"))
    for _ in range(2):
        with pytest.raises(
            StoreError, match=rf"version {SCHEMA_VERSION + 1} of the schema.*Upgrade ragcrawler"
        ):
            open_store(config(made))


def test_the_chunker_that_writes_is_remembered(made: Path, collection_models) -> None:
    for chunker in ("1", "2", ""):
        with open_store(config(made)) as store:
            store.create(replace(collection_models, chunker=chunker))
    with open_store(config(made)) as store:
        assert store.models().chunker == "2"


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, collection_models) -> None:
    (tmp_path / "file").write_text("in the way")
    complaint = pytest.raises(StoreError, match=r"file/qdrant/ragcrawler'.*Not a directory.*writable")
    with open_store(config(tmp_path / "file" / "qdrant")) as store, complaint:
        store.create(collection_models)


def test_a_lock_file_that_cannot_be_made_is_named(made: Path) -> None:
    (made / ".ragcrawler.lock").unlink()
    (made / ".ragcrawler.lock").mkdir()
    with pytest.raises(StoreError, match=r"lock file '.*\.ragcrawler\.lock'.*writable"):
        open_store(config(made))


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "ragcrawler").mkdir()
    (tmp_path / "ragcrawler" / "notes.txt").write_text("mine")
    with pytest.raises(StoreError, match="Cannot open the collection"):
        open_store(config(tmp_path))
    assert (tmp_path / "ragcrawler" / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("name", ["", "..", "a/b", ".hidden", "a b", "x" * 129, "näme"])
def test_a_name_that_is_no_folders_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(StoreError, match="cannot name a collection"):
        open_store(StoreConfig(folder=tmp_path, collection=name))


def file_bytes(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def read_only(
    tmp_path: Path, collection_models: Any, make_chunk: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """A collection that may be read and not written, by the superuser neither."""
    with open_store(StoreConfig(folder=tmp_path)) as store:
        store.create(collection_models)
        store.upsert([make_chunk(number) for number in range(5)])
    paths = [tmp_path, *tmp_path.rglob("*")]
    for path in paths:
        path.chmod(path.stat().st_mode & ~0o222)
    if os.geteuid() == 0:

        def access(path: Path, mode: int) -> bool:
            return not mode & os.W_OK or bool(path.stat().st_mode & 0o222)

        monkeypatch.setattr("ragcrawler.stores.disk.read_only.os.access", access)
    yield tmp_path
    for path in paths:
        if path.exists():
            path.chmod(path.stat().st_mode | 0o700)


def test_a_read_only_collection_is_searched_and_read_and_stays_as_it_is(read_only: Path) -> None:
    before = file_bytes(read_only)
    with open_store(StoreConfig(folder=read_only)) as store:
        found = store.search(SearchRequest((Ranking("dense", QUERY.dense),), 3))
        assert len(found) == 3
        assert len(list(store.points())) == store.count() == 5
    assert file_bytes(read_only) == before


def test_a_read_only_collection_refuses_to_be_written_to(
    read_only: Path, make_chunk: Any, collection_models: Any
) -> None:
    with open_store(StoreConfig(folder=read_only)) as store:
        for write in (
            lambda: store.upsert([make_chunk(9)]),
            lambda: store.delete([make_chunk(1).id]),
            lambda: store.create(collection_models),
            store.optimize,
        ):
            with pytest.raises(StoreError, match="read-only: it can be searched and verified"):
                write()


def test_nothing_of_a_deleted_chunk_is_left_in_any_file_once_it_is_erased(
    tmp_path: Path, make_chunk: Any, collection_models: Any
) -> None:
    """The engine only marks points as deleted, and keeps in its log what was written."""
    secret = make_chunk(3, content="zebramark")

    def holding() -> set[str]:
        return {name for name, content in file_bytes(tmp_path).items() if b"zebramark" in content}

    with open_store(StoreConfig(folder=tmp_path)) as store:
        store.create(collection_models)
        store.upsert([*(make_chunk(number) for number in range(10)), secret])
        store.delete([secret.id])
        store.flush()
        assert holding()
        store.erase()
        assert holding() == set()
    with open_store(StoreConfig(folder=tmp_path)) as store:
        assert store.count() == 9
        assert (
            json.loads(next(tmp_path.rglob("edge_config.json")).read_text())["optimizers"][
                "deleted_threshold"
            ]
            is None
        )


@pytest.mark.parametrize(
    ("error", "is_damage"),
    [
        (FileNotFoundError(2, "No such file or directory", "models.json"), True),
        (json.JSONDecodeError("Expecting value", "", 0), True),
        (Exception("Service runtime error: Corrupted ID tracker mapping storage"), True),
        (PermissionError(13, "Permission denied"), False),
        (Exception("Service runtime error: IO Error: No space left on device (os error 28)"), False),
        (Exception("failed to open WAL: Cannot allocate memory (os error 12)"), False),
        (MemoryError(), False),
    ],
)
def test_only_what_speaks_against_the_files_counts_as_damage(error: Exception, is_damage: bool) -> None:
    with pytest.raises(StoreError) as raised, engine_errors("open the collection", Path("folder")):
        raise error
    assert isinstance(raised.value, StoreDamagedError) is is_damage
    assert ("verify --rebuild" in str(raised.value)) is is_damage

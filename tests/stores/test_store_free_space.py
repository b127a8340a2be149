"""Near the end of the disk the embedded store writes nothing: a write there would kill the process."""

import shutil
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.run.indexing.synchronise import upsert_isolating_failures
from ragcrawler.stores import DiskFullError, FreeSpace, StoreConfig, open_store

MEBIBYTE = 2**20
Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """A disk with as much room as a test says."""
    room = {"free": 1000 * MEBIBYTE}
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(0, 0, room["free"]))
    return room


def config(folder: Path) -> StoreConfig:
    return StoreConfig(folder=folder, collection="kept", reserve_bytes=256 * MEBIBYTE)


@pytest.mark.parametrize(
    ("free", "reserve", "more", "fits"),
    [(10, 0, 0, True), (10, 10, 0, True), (10, 10, 1, False), (9, 10, 0, False), (12, 10, 2, True)],
)
def test_the_reserve_stays_free(
    disk: dict[str, int], tmp_path: Path, free: int, reserve: int, more: int, fits: bool
) -> None:
    disk["free"] = free
    assert FreeSpace(tmp_path, reserve).has(more) is fits


def test_the_disk_of_a_folder_that_does_not_exist_is_that_of_the_one_above(tmp_path: Path) -> None:
    assert FreeSpace(tmp_path / "not" / "yet", 1).has()
    assert FreeSpace(Path("not/yet"), 1).has()


def test_a_collection_is_neither_made_nor_opened_without_room(
    disk: dict[str, int], tmp_path: Path, collection_models: Any
) -> None:
    disk["free"] = 255 * MEBIBYTE
    with (
        open_store(config(tmp_path)) as store,
        pytest.raises(DiskFullError, match="255 MiB are free") as caught,
    ):
        store.create(collection_models)
    assert "DISK_RESERVE_MEBIBYTES" in str(caught.value)
    assert list(tmp_path.iterdir()) == []
    disk["free"] = 256 * MEBIBYTE
    with open_store(config(tmp_path)) as store:
        store.create(collection_models)
    disk["free"] = 63 * MEBIBYTE
    with pytest.raises(DiskFullError):
        open_store(config(tmp_path))


def test_nothing_is_written_without_room_and_all_is_still_read(
    disk: dict[str, int], tmp_path: Path, collection_models: Any, make_chunk: Any
) -> None:
    chunks = [make_chunk(number) for number in range(3)]
    with open_store(config(tmp_path)) as store:
        store.create(collection_models)
        store.upsert(chunks[:2])
        disk["free"] = 100 * MEBIBYTE
        for write in (
            lambda: store.upsert(chunks),
            lambda: upsert_isolating_failures(store, chunks),
            lambda: store.delete([chunks[0].id]),
        ):
            with pytest.raises(DiskFullError):
                write()
    with open_store(config(tmp_path)) as store:  # less room than a write needs is enough to read
        assert {chunk.id for chunk in store.scroll()} == {chunk.id for chunk in chunks[:2]}


def test_an_index_is_left_as_it_is_where_a_copy_has_no_room(
    disk: dict[str, int],
    tmp_path: Path,
    collection_models: Any,
    make_chunk: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with open_store(config(tmp_path)) as store:
        store.create(collection_models)
        store.upsert([make_chunk(1)])
        disk["free"] = 256 * MEBIBYTE
        store.optimize()
        assert "for want of room" in caplog.text
        assert store.count() == 1

"""The file with the responses of earlier crawls."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragcrawler.run.pages.response_store import ResponseStore, StoredResponse

PAGE = StoredResponse(b"ETag: x", b"<p>A page</p>")


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[ResponseStore]:
    opened = ResponseStore(tmp_path / "deep" / "responses.sqlite", clock)
    yield opened
    opened.close()


def test_what_is_stored_is_there_in_the_next_crawl(tmp_path: Path) -> None:
    first = ResponseStore(tmp_path / "responses.sqlite")
    first.put(b"a", PAGE)
    first.close()
    second = ResponseStore(tmp_path / "responses.sqlite")
    assert second.get(b"a") == PAGE
    assert second.get(b"b") is None
    second.close()


def test_the_last_response_of_a_page_counts(store: ResponseStore) -> None:
    store.put(b"a", PAGE)
    store.put(b"a", StoredResponse(b"ETag: y", b"new"))
    assert store.get(b"a") == StoredResponse(b"ETag: y", b"new")


def test_what_was_not_confirmed_for_long_goes(store: ResponseStore, clock: Clock) -> None:
    store.put(b"a", PAGE)
    store.put(b"b", PAGE)
    clock.now += 50
    store.refresh(b"a", b"ETag: x\r\nDate: now", "https://a.example/")
    clock.now += 60
    assert store.prune(max_bytes=10**6, max_age_seconds=100) == 1
    assert store.get(b"a") == StoredResponse(b"ETag: x\r\nDate: now", PAGE.body, "https://a.example/")
    assert store.get(b"b") is None


def test_of_too_much_the_oldest_goes(store: ResponseStore, clock: Clock) -> None:
    for key in (b"a", b"b", b"c"):
        clock.now += 1
        store.put(key, StoredResponse(b"", b"x" * 100))
    assert store.prune(max_bytes=250, max_age_seconds=0) == 1
    assert store.get(b"a") is None
    assert store.get(b"c") is not None


def test_a_file_that_cannot_be_read_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "responses.sqlite"
    path.write_bytes(b"no database" * 1000)
    store = ResponseStore(path)
    store.put(b"a", PAGE)
    assert store.get(b"a") == PAGE
    store.close()


def test_a_file_that_another_process_holds_is_not_destroyed(tmp_path: Path) -> None:
    path = tmp_path / "responses.sqlite"
    store = ResponseStore(path)
    store.put(b"a", PAGE)
    store.close()
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("PRAGMA journal_mode = DELETE")
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(sqlite3.OperationalError):
        ResponseStore(path)
    holder.execute("ROLLBACK")
    assert holder.execute("SELECT count(*) FROM responses").fetchone() == (1,)
    holder.close()

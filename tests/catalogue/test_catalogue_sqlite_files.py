"""What holds for a catalogue in a file alone: its versions, damage, and two processes on it."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ragcrawler.catalogue import CatalogueError, SqliteCatalogue
from ragcrawler.catalogue.sqlite.schema import _MIGRATIONS
from tests.catalogue.records import document, record


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "catalogue" / "ragcrawler.sqlite"


@pytest.fixture
def catalogue(path: Path) -> Iterator[SqliteCatalogue]:
    with SqliteCatalogue(path) as opened:
        yield opened


def test_a_transaction_that_fails_writes_nothing(catalogue: SqliteCatalogue) -> None:
    def put_one_and_fail() -> None:
        with catalogue.transaction() as database:
            catalogue.put([record(1)])
            database.execute("INSERT INTO nowhere VALUES (1)")

    with pytest.raises(CatalogueError, match="nowhere"):
        put_one_and_fail()
    assert catalogue.get("d0001") is None


def test_a_commit_that_fails_leaves_no_transaction_open(catalogue: SqliteCatalogue, path: Path) -> None:
    """Later writes would be part of it, and never be committed."""
    with catalogue.transaction() as database:
        database.execute("CREATE TABLE parents (a INTEGER PRIMARY KEY)")
        database.execute("CREATE TABLE children (a REFERENCES parents DEFERRABLE INITIALLY DEFERRED)")
    database.execute("PRAGMA foreign_keys = ON")
    with pytest.raises(CatalogueError, match="FOREIGN KEY"), catalogue.transaction():
        database.execute("INSERT INTO children VALUES (1)")
    catalogue.put([record(1)])
    with SqliteCatalogue(path) as other:
        assert other.get("d0001") is not None


def test_a_file_of_the_first_version_gets_room_for_markdown(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            f"{_MIGRATIONS[0]} PRAGMA application_id = 0x52414743; PRAGMA user_version = 1;"
        )
    with SqliteCatalogue(path) as opened:
        opened.put([record(1)], documents=[document()])
        assert opened.has_markdown(record(1))


def test_a_file_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE theirs (a)")
    database.close()
    with pytest.raises(CatalogueError, match="another program"):
        SqliteCatalogue(path)
    database = sqlite3.connect(path)
    assert database.execute("SELECT name FROM sqlite_master").fetchall() == [("theirs",)]
    database.close()


def test_a_file_of_a_later_version_is_refused(catalogue: SqliteCatalogue, path: Path) -> None:
    catalogue.close()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(CatalogueError, match="version 99"):
        SqliteCatalogue(path)


def test_a_damaged_file_is_named_with_what_to_do(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database at all, but long enough to be looked at" * 100)
    with pytest.raises(CatalogueError, match=r"ragcrawler\.sqlite.*verify --repair"):
        SqliteCatalogue(path)


def test_two_crawls_on_one_file_wait_for_each_other(catalogue: SqliteCatalogue, path: Path) -> None:
    def write() -> None:
        with SqliteCatalogue(path) as other:
            other.put([record(2)])

    with catalogue.transaction():
        catalogue.put([record(1)])
        thread = threading.Thread(target=write)
        thread.start()
    thread.join()
    assert catalogue.count() == 2

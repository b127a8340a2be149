"""Numbered steps: each once, whole or not at all, for any number of workers."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ragcrawler.postgres.address import PostgresAddress
from ragcrawler.postgres.errors import PostgresError
from ragcrawler.postgres.migrations import Migration, migrate, read_migrations
from ragcrawler.postgres.session import PostgresSession

FIRST = Migration(1, "notes", "CREATE TABLE notes (text text); INSERT INTO notes VALUES ('first')")
SECOND = Migration(2, "more", "INSERT INTO notes VALUES ('second')")
BROKEN = Migration(2, "broken", "INSERT INTO notes VALUES ('broken'); SELECT * FROM nowhere")


@pytest.fixture
def opened(postgres_address: PostgresAddress) -> Callable[[], PostgresSession]:
    return lambda: PostgresSession(postgres_address, schema="of a test")


def test_each_step_is_made_once(opened: Callable[[], PostgresSession]) -> None:
    with opened() as session:
        assert [migrate(session, [FIRST]), migrate(session, [FIRST, SECOND])] == [1, 1]
        assert migrate(session, [FIRST, SECOND]) == 0
        assert session.rows("SELECT text FROM notes") == [("first",), ("second",)]
        assert session.rows("SELECT number, name FROM migrations") == [(1, "notes"), (2, "more")]


def test_a_step_that_fails_leaves_nothing(opened: Callable[[], PostgresSession]) -> None:
    with opened() as session:
        with pytest.raises(PostgresError, match="nowhere"):
            migrate(session, [FIRST, BROKEN])
        assert migrate(session, [FIRST, SECOND]) == 2


def test_workers_that_begin_at_once_make_each_step_once(opened: Callable[[], PostgresSession]) -> None:
    made, together = [], threading.Barrier(4)

    def begin() -> None:
        with opened() as session:
            together.wait(30)
            made.append(migrate(session, [FIRST, SECOND]))

    threads = [threading.Thread(target=begin) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made) == [0, 0, 0, 2]


def test_a_later_version_and_the_schema_of_another_program_are_refused(
    opened: Callable[[], PostgresSession],
) -> None:
    with opened() as session:
        migrate(session, [FIRST, SECOND])
        with pytest.raises(PostgresError, match="is version 2, and this program knows 1: upgrade it"):
            migrate(session, [FIRST])
        session.script("DROP TABLE migrations")
        with pytest.raises(PostgresError, match="is another program's"):
            migrate(session, [FIRST])


def test_a_user_without_rights_is_told_which_are_needed(postgres_address: PostgresAddress) -> None:
    name = postgres_address.database
    with PostgresSession(postgres_address) as session:
        session.script(f"CREATE ROLE {name} LOGIN PASSWORD 'secret'")
    with (
        PostgresSession(replace(postgres_address, user=name, password="secret"), schema="x") as poor,
        pytest.raises(PostgresError, match="needs CREATE on the database"),
    ):
        migrate(poor, [FIRST])


def test_steps_are_files_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    folder = tmp_path / "steps_of_a_test"
    folder.mkdir()
    (folder / "0002_more.sql").write_text("two")
    (folder / "0001_notes.sql").write_text("one")
    (folder / "README.md").write_text("no step")
    assert read_migrations("steps_of_a_test") == (Migration(1, "notes", "one"), Migration(2, "more", "two"))
    (folder / "0002_more.sql").rename(folder / "0003_more.sql")
    with pytest.raises(ValueError, match="not numbered from 0001 on"):
        read_migrations("steps_of_a_test")

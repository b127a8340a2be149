"""The file of a state: what a break leaves, and files that cannot be used."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from ragcrawler.frontier import UrlRecord
from ragcrawler.frontier.states.dump import DumpError, dump_lines, import_lines
from ragcrawler.frontier.states.protocol import KeyTakenError, key64
from ragcrawler.frontier.states.sqlite import FrontierStateError, SqliteState
from ragcrawler.frontier.states.sqlite.database import VERSION
from ragcrawler.run.saved_crawls.state_lock import StateLock


def record(name: str) -> UrlRecord:
    return UrlRecord(key64(name), f"https://a.org/{name}", "a.org")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "crawl.sqlite"


def test_a_transaction_that_breaks_leaves_nothing_behind(path: Path) -> None:
    with closing(SqliteState(path)) as state:
        state.urls.add(record("before"))
        with pytest.raises(RuntimeError), state.transaction():  # noqa: PT012 - what it takes back is the point
            state.urls.add(record("x"))
            state.urls.decide(UrlRecord(key64("before"), "", status="failed", reason="never_seen"))
            state.notes.put("never", 1, "seen")
            state.hosts.set_delay("a.org", 2.0)
            raise RuntimeError("in the middle")
        assert (state.urls.counts().seen, state.urls.queued(), state.urls.counts().failed) == (1, 1, {})
        assert state.notes.get("never", 1) is None
        assert state.hosts.get("a.org").delay_seconds == 0.0


def test_what_was_committed_is_there_for_who_comes_after_a_kill(path: Path) -> None:
    killed = SqliteState(path)
    with killed.transaction():
        killed.urls.add(record("x"))
    killed.urls.lease(0.0, 1e9, 1, ["a.org"])
    killed.hosts.hold("a.org", 50.0)
    killed.urls.add(record("never committed"))
    killed._database._connection.close()  # as the end of a process does, without a commit
    with closing(SqliteState(path)) as state:
        assert state.urls.counts().seen == 1
        assert (state.urls.queued(), state.reclaim(), state.urls.queued()) == (0, 1, 1)
        assert state.hosts.get("a.org").held_until == 50.0


def test_transactions_that_follow_each_other_closely_are_committed_together(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill takes back the last ones, each whole; after a pause one is committed at once."""
    now = 100.0

    def seen() -> list[int]:
        with closing(sqlite3.connect(path)) as other:
            return sorted(number for (number,) in other.execute("SELECT depth FROM urls"))

    def add(*numbers: int) -> None:
        with state.transaction():
            for number in numbers:
                state.urls.add(UrlRecord(number, f"https://a.org/{number}", "a.org", depth=number))

    state = SqliteState(path)
    monkeypatch.setattr(state._database, "_clock", lambda: now)
    add(1)
    assert seen() == [1]
    add(2, 3)
    now += 0.04
    with pytest.raises(RuntimeError), state.transaction():  # noqa: PT012 - what it takes back is the point
        state.urls.add(UrlRecord(4, "https://a.org/4", "a.org", depth=4))
        raise RuntimeError("in the middle")
    add(5)
    assert (seen(), state.urls.counts().seen) == ([1], 4)
    now += 0.02
    add(6)
    assert seen() == [1, 2, 3, 5, 6]
    add(7)
    state.hosts.hold("a.org", 50.0)
    assert seen() == [1, 2, 3, 5, 6, 7]
    state.close()


def test_two_pages_whose_keys_have_one_hash_are_told_apart_by_their_urls(path: Path) -> None:
    with closing(SqliteState(path)) as state:
        assert state.urls.add(UrlRecord(7, "https://a.org/one", "a.org"))
        for _ in range(2):  # before it is written, and behind that
            assert not state.urls.add(UrlRecord(7, "https://www.a.org/one", "www.a.org"))
            with pytest.raises(KeyTakenError):
                state.urls.add(UrlRecord(7, "https://a.org/two", "a.org"))
            state.urls.get(7)
        state.urls.decide(UrlRecord(7, "https://a.org/one", status="fetched"))
        with pytest.raises(KeyTakenError):
            state.urls.add(UrlRecord(7, "https://a.org/two", "a.org"))


def of_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE things (name TEXT)")


def of_another_version(path: Path) -> None:
    SqliteState(path).close()
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version = {VERSION + 1}")


def cut_short(path: Path) -> None:
    SqliteState(path).close()
    path.write_bytes(path.read_bytes()[:5000])


def no_database(path: Path) -> None:
    path.write_bytes(b"something else" * 100)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (of_another_program, "is a database of another program: move it away"),
        (of_another_version, "written by another version of ragcrawler"),
        (cut_short, "malformed; copy it back from a backup, or begin anew with -s RESUME=0"),
        (no_database, "not a database; move it away, or begin anew with -s RESUME=0"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_one_sentence_and_left_alone(
    path: Path, damage: Callable[[Path], None], message: str
) -> None:
    path.parent.mkdir()
    damage(path)
    before = path.read_bytes()
    with pytest.raises(FrontierStateError, match=message) as refusal:
        SqliteState(path)
    assert str(path) in str(refusal.value)
    assert path.read_bytes() == before


def test_a_file_that_another_program_locks_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragcrawler.frontier.states.sqlite.database._BUSY_SECONDS", 0.0)
    with closing(SqliteState(path)) as state, closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(FrontierStateError, match="locked; another program works on it"):
            state.urls.add(record("x"))


def test_a_full_disk_loses_nothing_that_was_committed(path: Path) -> None:
    with closing(SqliteState(path)) as state:
        with state.transaction():
            state.urls.add(record("x"))
        pages = state._database.read("PRAGMA page_count").fetchone()[0]
        state._database.read(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(FrontierStateError, match="full; free some space"), state.transaction():  # noqa: PT012 - likewise
            for number in range(10_000):
                state.urls.add(record(str(number)))
    with closing(SqliteState(path)) as state:
        assert state.urls.counts().seen == 1
        with state.transaction():
            state.urls.add(record("y"))
        assert state.urls.counts().seen == 2


def test_after_its_first_error_a_state_writes_nothing_more(path: Path) -> None:
    """SQLite may have taken back what waited for its commit: the rest would be half of a page."""
    with closing(SqliteState(path)) as state:
        with state.transaction():
            state.urls.add(record("start"))
        with state.transaction():  # so soon after the other commit that this one waits
            state.urls.add(record("linked"))
        with pytest.raises(FrontierStateError, match="no such table"):
            state._database.read("SELECT * FROM nowhere")
        with pytest.raises(FrontierStateError, match="no such table"), state.transaction():
            state.urls.decide(UrlRecord(key64("start"), "", status="fetched", reason=""))
    with closing(SqliteState(path)) as state:
        counts = state.urls.counts()
        assert (counts.seen, counts.open) == (1, 1)


def test_a_lock_that_the_disk_refuses_is_an_error_of_the_state(path: Path) -> None:
    path.parent.parent.joinpath("state").write_text("a file where the folder should be")
    with pytest.raises(FrontierStateError, match="File exists"):
        StateLock(path)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "line 1"),
        (["{}"], "line 1"),
        (['{"ragcrawler_frontier": 99}'], "version 99"),
        (['{"ragcrawler_frontier": 1}', "{"], "line 2"),
        (['{"ragcrawler_frontier": 1}', '{"url": {"key": 1}, "is_parked": false}'], "line 2"),
    ],
)
def test_what_is_no_dump_is_refused_with_its_line(lines: list[str], message: str) -> None:
    with closing(SqliteState()) as state:
        with pytest.raises(DumpError, match=message):
            import_lines(state, lines)
        assert state.urls.counts().seen == 0


def test_a_dump_is_only_imported_into_an_empty_state() -> None:
    with closing(SqliteState()) as state:
        state.urls.add(record("x"))
        with pytest.raises(DumpError, match="empty"):
            import_lines(state, list(dump_lines(state)))

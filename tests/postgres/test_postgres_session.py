"""A session with a server that goes away, refuses, or loses the answer to a commit."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from ragcrawler.postgres.address import PostgresAddress
from ragcrawler.postgres.embedded_server import EmbeddedServer
from ragcrawler.postgres.errors import PostgresAwayError, PostgresError
from ragcrawler.postgres.session import PostgresSession
from ragcrawler.postgres.waiting import Patience


@pytest.fixture
def session(postgres_address: PostgresAddress) -> Iterator[PostgresSession]:
    with PostgresSession(postgres_address) as opened:
        opened.script("CREATE TABLE notes (id integer PRIMARY KEY, text text, data bytea)")
        yield opened


def numbers(session: PostgresSession) -> list[int]:
    return [number for (number,) in session.rows("SELECT id FROM notes ORDER BY id")]


def cut_off(session: PostgresSession, address: PostgresAddress) -> None:
    """End the session's connection from the server's side."""
    ((process,),) = session.rows("SELECT pg_backend_pid()")
    with PostgresSession(address) as other:
        other.rows("SELECT pg_terminate_backend(:process::integer, 10000)", process=process)


def test_values_come_back_as_they_were_put(session: PostgresSession) -> None:
    put = [(1, 'it\'s \\ "quoted" NULL {,} ünï', b"\0\xff"), (2, None, b""), (3, "", None)]
    for number, text, data in put:
        session.rows("INSERT INTO notes VALUES (:n, :t, :d)", n=number, t=text, d=data)
    assert session.rows("SELECT * FROM notes ORDER BY id") == put


def test_lists_are_put_in_one_statement(session: PostgresSession) -> None:
    put = [(1, "a,\"b\\'", b"\0"), (2, "NULL", b""), (3, "", b"\xff")]
    session.rows(
        "INSERT INTO notes SELECT * FROM unnest(:n::integer[], :t::text[], :d::bytea[])",
        **{name: [row[at] for row in put] for at, name in enumerate("ntd")},
    )
    assert session.rows("SELECT * FROM notes ORDER BY id") == put


def test_a_transaction_happens_whole_or_not_at_all(session: PostgresSession) -> None:
    def write_and_fail() -> None:
        session.rows("INSERT INTO notes VALUES (1)")
        session.transaction(lambda: session.rows("INSERT INTO notes VALUES (2)"))
        raise KeyError("of the caller")

    with pytest.raises(KeyError, match="of the caller"):
        session.transaction(write_and_fail)
    assert numbers(session) == []
    with pytest.raises(PostgresError, match="duplicate key") as refused:
        session.script("INSERT INTO notes VALUES (1); INSERT INTO notes VALUES (1)")
    assert refused.value.code == "23505"
    assert numbers(session) == []


def test_a_statement_is_repeated_where_the_connection_was_lost(
    session: PostgresSession, postgres_address: PostgresAddress
) -> None:
    cut_off(session, postgres_address)
    session.rows("INSERT INTO notes VALUES (1)")
    assert numbers(session) == [1]


def test_a_transaction_is_repeated_as_a_whole(
    session: PostgresSession, postgres_address: PostgresAddress
) -> None:
    tries = []

    def write() -> str:
        tries.append(1)
        session.rows("INSERT INTO notes VALUES (1)")
        if len(tries) == 1:
            cut_off(session, postgres_address)
        session.rows("INSERT INTO notes VALUES (2)")
        return "done"

    assert session.transaction(write) == "done"
    assert numbers(session) == [1, 2]
    assert len(tries) == 2


@pytest.mark.parametrize("is_committed", [True, False])
def test_a_transaction_whose_end_nobody_heard_does_not_happen_twice(
    session: PostgresSession,
    postgres_address: PostgresAddress,
    monkeypatch: pytest.MonkeyPatch,
    is_committed: bool,
) -> None:
    commit, tries = session.commit, []

    def break_down() -> None:
        monkeypatch.undo()
        if is_committed:
            commit()
        session.close()
        raise ConnectionResetError

    def write() -> int:
        tries.append(1)
        session.rows("INSERT INTO notes VALUES (:n)", n=len(tries))
        return len(tries)

    monkeypatch.setattr(session, "commit", break_down)
    assert session.transaction(write) == (1 if is_committed else 2)
    assert numbers(session) == [1 if is_committed else 2]


def test_of_two_transactions_that_wait_for_each_other_one_is_repeated(
    session: PostgresSession, postgres_address: PostgresAddress
) -> None:
    session.script("INSERT INTO notes (id, text) VALUES (1, ''), (2, '')")
    both = threading.Barrier(2)

    def add(own: PostgresSession, order: tuple[int, int]) -> None:
        tries = []

        def write() -> None:
            tries.append(1)
            for at in order:
                own.rows("UPDATE notes SET text = text || 'x' WHERE id = :id", id=at)
                if at == order[0] and len(tries) == 1:
                    both.wait(10)

        own.transaction(write)

    with PostgresSession(postgres_address) as other:
        thread = threading.Thread(target=add, args=(other, (2, 1)))
        thread.start()
        add(session, (1, 2))
        thread.join()
    assert session.rows("SELECT text FROM notes ORDER BY id") == [("xx",), ("xx",)]


class Outage:
    """A server that is killed, and brought back after some pauses of the one who waits for it."""

    def __init__(self, server: EmbeddedServer, pauses: int) -> None:
        self._server = server
        self._left = pauses
        server.kill()

    def pause(self, seconds: float) -> None:
        self._left -= 1
        if self._left == 0:
            self._server.start()


@pytest.fixture
def own_server(postgres_server: EmbeddedServer) -> Iterator[EmbeddedServer]:
    yield postgres_server
    postgres_server.start()


def test_a_server_that_was_killed_is_waited_for_with_one_line(
    session: PostgresSession, own_server: EmbeddedServer, caplog: pytest.LogCaptureFixture
) -> None:
    session.rows("INSERT INTO notes VALUES (1)")
    outage = Outage(own_server, pauses=3)
    session._patience = Patience(3600, pause=outage.pause)
    session.rows("INSERT INTO notes VALUES (2)")
    assert numbers(session) == [1, 2]
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "is it running? It is waited for up to 3600 s." in caplog.text


@pytest.mark.parametrize("patience", [Patience(0), Patience(3600, may_wait=lambda: False)])
def test_nobody_waits_longer_than_he_may(
    session: PostgresSession, own_server: EmbeddedServer, patience: Patience
) -> None:
    session._patience = patience
    own_server.kill()
    session.close()  # the process behind the connection may outlive the server by a moment
    with pytest.raises(PostgresAwayError, match="does not answer"):
        session.rows("SELECT 1")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"password": "wrong secret"}, r"refused user or password .*look at POSTGRES_DSN"),
        ({"password": ""}, r"refused user or password .*look at POSTGRES_DSN"),
        ({"user": "nobody"}, r"refused user or password .*look at POSTGRES_DSN"),
        ({"database": "missing"}, r"database \"missing\" does not exist; make it with `createdb missing`"),
        ({"port": 9}, r"127\.0\.0\.1:9/\w+ does not answer .*is it running\?"),
        ({"host": "/nowhere"}, r"does not answer .*is it running\?"),
        ({"ssl_mode": "require"}, r"does not encrypt, and sslmode=require asks for it"),
    ],
)
def test_what_cannot_be_opened_says_why_in_one_message_and_shows_no_password(
    postgres_address: PostgresAddress, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(PostgresError, match=message) as refused:
        PostgresSession(replace(postgres_address, **changes))
    assert "secret" not in str(refused.value)
    assert postgres_address.password not in str(refused.value)


def test_a_server_that_is_too_old_is_refused(
    postgres_address: PostgresAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragcrawler.postgres.driver.LEAST_VERSION", 99)
    with pytest.raises(PostgresError, match=r"is version 18.*: at least 99 is needed"):
        PostgresSession(postgres_address)

"""Writes to Redis that wait for the next script of their transaction."""

from dataclasses import replace
from uuid import uuid4

import pytest

from ragcrawler.frontier import UrlRecord
from ragcrawler.frontier.states.protocol import key64
from ragcrawler.frontier.states.redis import RedisAddress, RedisState
from tests.frontier.redis_process import RedisProcess

RECORD = UrlRecord(key64("x"), "https://a.org/x", "a.org")


def test_a_page_and_its_counts_are_written_by_one_script(redis_server: RedisProcess) -> None:
    """A worker that is killed between two calls must not end a page without its counts."""
    state = RedisState(RedisAddress(redis_server.url, uuid4().hex))
    state.urls.add(RECORD)
    server = state._server
    before = server._calls
    with state.transaction():
        state.notes.count_named("totals", {"pages": 1, "chunks": 7})
        assert state.notes.has_member("apart", 0, 3) is False
        assert server._calls == before
        state.urls.decide(replace(RECORD, status="fetched"))
    assert server._calls == before + 1
    assert (state.urls.counts().fetched, state.notes.named_counts("totals")) == (1, {"pages": 1, "chunks": 7})


def test_what_waits_in_a_transaction_that_breaks_is_dropped(redis_server: RedisProcess) -> None:
    state = RedisState(RedisAddress(redis_server.url, uuid4().hex))

    def broken() -> None:
        with state.transaction():
            state.notes.put("text", 1, "a")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken()
    assert state.notes.get("text", 1) is None
    state.notes.put("text", 1, "b")
    assert state.notes.get("text", 1) == "b"


def test_writes_that_go_with_a_repeated_call_are_made_once(redis_server: RedisProcess) -> None:
    state = RedisState(RedisAddress(redis_server.url, uuid4().hex))
    server = state._server
    with state.transaction():
        state.notes.count_named("totals", {"pages": 1})
        server.call("count", "counters:other", b"12345678", 1)
        server._calls -= 1  # its answer was lost: it is sent again, with its number
        state.notes.count_named("totals", {"pages": 1})
        server.call("count", "counters:other", b"12345678", 1)
    assert state.notes.named_counts("totals") == {"pages": 1}


def test_what_a_page_looks_up_for_each_link_is_asked_for_once_a_moment(redis_server: RedisProcess) -> None:
    address = RedisAddress(redis_server.url, uuid4().hex)
    one, other = RedisState(replace(address, recent_seconds=60.0)), RedisState(address)
    assert [one.urls.add(RECORD), one.urls.add(RECORD), other.urls.add(RECORD)] == [True, False, False]
    assert not one.notes.has_member("apart", 0, 1)
    assert one.notes.get("first_spelling", 1) is None
    assert one.hosts.get("a.org").held_until == 0.0
    asked = one._server._calls
    other.notes.add_member("apart", 0, 1)
    other.notes.put("first_spelling", 1, "a")
    other.hosts.hold("a.org", 9.0)
    assert not one.notes.has_member("apart", 0, 1)
    assert one.notes.get("first_spelling", 1) is None
    assert (one.hosts.get("a.org").held_until, one._server._calls) == (0.0, asked)
    one.notes.add_member("apart", 0, 2)
    one.notes.put("first_spelling", 1, "b")
    one.hosts.set_delay("a.org", 2.0)
    assert one.notes.has_member("apart", 0, 1)
    assert one.notes.get("first_spelling", 1) == "b"
    assert one.hosts.get("a.org").held_until == 9.0


def test_what_was_known_is_asked_for_again_once_the_server_was_away(redis_server: RedisProcess) -> None:
    """A server that was killed may have lost the last second."""
    state = RedisState(RedisAddress(redis_server.url, uuid4().hex, recent_seconds=60.0))
    assert [state.urls.add(RECORD), state.urls.add(RECORD)] == [True, False]
    state.forget()
    state._server.breaks += 1
    assert state.urls.add(RECORD)

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

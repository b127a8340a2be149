"""A crawl waits for a collection that another process has: so long, and no longer."""

import logging
from collections.abc import Callable
from itertools import count

import pytest

from ragcrawler.run.indexing.wait_for_collection import open_when_free
from ragcrawler.stores import ChunkStore, StoreBusyError, StoreError
from ragcrawler.stores.memory.store import MemoryStore


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


def busy_until(attempt: int) -> Callable[[], ChunkStore]:
    attempts = count(1)

    def open_store() -> ChunkStore:
        if next(attempts) < attempt:
            raise StoreBusyError("in use by the process with id 7.")
        return MemoryStore()

    return open_store


def test_a_collection_that_gets_free_in_time_is_opened_and_one_line_said_who_had_it(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    assert isinstance(open_when_free(busy_until(9), 10, lambda: True, clock.sleep, clock), MemoryStore)
    assert clock.now == 102.0
    assert caplog.messages == [
        "in use by the process with id 7. This crawl waits for it, for 10 s at the most.",
        "The collection is free after 2 s",
    ]


@pytest.mark.parametrize(("seconds", "is_running", "waited"), [(0, True, 0), (3, True, 3), (60, False, 0)])
def test_it_is_not_waited_for_longer_than_said_and_not_after_an_interruption(
    clock: Clock, seconds: float, is_running: bool, waited: float
) -> None:
    with pytest.raises(StoreBusyError, match="process with id 7"):
        open_when_free(busy_until(10_000), seconds, lambda: is_running, clock.sleep, clock)
    assert clock.now - 100.0 == waited


def test_what_cannot_be_opened_for_another_reason_is_not_waited_for(clock: Clock) -> None:
    def broken() -> ChunkStore:
        raise StoreError("damaged")

    with pytest.raises(StoreError, match="damaged"):
        open_when_free(broken, 60, lambda: True, clock.sleep, clock)
    assert clock.now == 100.0

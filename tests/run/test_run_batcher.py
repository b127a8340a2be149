"""The batcher: callers' items go together, in order, and a guilty one stands alone."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from ragcrawler.run.indexing.batcher import Batcher


@pytest.fixture
def thread() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as executor:
        yield executor


def doubled(items: list[int]) -> list[int]:
    return [2 * item for item in items]


async def test_each_caller_gets_its_own_results_in_order(thread: ThreadPoolExecutor) -> None:
    batcher = Batcher(doubled, thread, max_items=3, is_running=lambda: True)
    answers = await asyncio.gather(*(batcher.submit(list(range(size))) for size in (1, 5, 2, 7)))
    assert answers == [[2 * item for item in range(size)] for size in (1, 5, 2, 7)]


async def test_items_of_several_callers_share_a_call(thread: ThreadPoolExecutor) -> None:
    sizes: list[int] = []

    def measured(items: list[int]) -> list[int]:
        sizes.append(len(items))
        return items

    batcher = Batcher(measured, thread, max_items=4, is_running=lambda: True)
    await asyncio.gather(*(batcher.submit([number]) for number in range(8)))
    assert sizes == [4, 4]


async def test_what_waits_while_a_call_runs_goes_into_the_next_one(thread: ThreadPoolExecutor) -> None:
    started, gate = threading.Event(), threading.Event()
    batches: list[list[str]] = []

    def gated(items: list[str]) -> list[str]:
        batches.append(items)
        started.set()
        gate.wait(10)
        return items

    batcher = Batcher(gated, thread, max_items=8, is_running=lambda: True)
    first = asyncio.create_task(batcher.submit(["a"]))
    await asyncio.to_thread(started.wait, 10)
    later = [asyncio.create_task(batcher.submit([name])) for name in ("b", "c")]
    await asyncio.gather(asyncio.to_thread(gate.set))
    await asyncio.gather(first, *later)
    assert batches == [["a"], ["b", "c"]]


async def test_only_the_guilty_item_gets_the_error(thread: ThreadPoolExecutor) -> None:
    def picky(items: list[int]) -> list[int]:
        if 13 in items:
            raise ValueError("13")
        return items

    batcher = Batcher(picky, thread, max_items=16, is_running=lambda: True)
    innocent, guilty = await asyncio.gather(batcher.submit([1, 2, 3]), batcher.submit([12, 13, 14]))
    assert innocent == [1, 2, 3]
    assert (guilty[0], guilty[2]) == (12, 14)
    assert isinstance(guilty[1], ValueError)


async def test_a_call_that_gives_too_few_results_is_an_error_not_a_mix_up(thread: ThreadPoolExecutor) -> None:
    batcher = Batcher(lambda items: items[:-1], thread, max_items=4, is_running=lambda: True)
    assert all(isinstance(answer, Exception) for answer in await batcher.submit([1, 2]))


async def test_what_has_not_begun_when_work_stops_comes_back_undone(thread: ThreadPoolExecutor) -> None:
    running = [True]

    def last_call(items: list[int]) -> list[int]:
        running[0] = False
        return items

    batcher = Batcher(last_call, thread, max_items=2, is_running=lambda: running[0])
    assert await batcher.submit([1, 2, 3, 4, 5]) == [1, 2, None, None, None]


async def test_nothing_to_do_is_done_at_once(thread: ThreadPoolExecutor) -> None:
    batcher = Batcher(doubled, thread, max_items=2, is_running=lambda: True)
    assert await batcher.submit([]) == []
    assert batcher.calls == 0

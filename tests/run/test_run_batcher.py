"""The batcher: callers' items go together, in order, and a guilty one stands alone."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from ragcrawler.run.execution.batcher import Batcher


@pytest.fixture
def thread() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as executor:
        yield executor


def doubled(items: list[int]) -> list[int]:
    return [2 * item for item in items]


async def test_each_caller_gets_its_own_result(thread: ThreadPoolExecutor) -> None:
    batcher = Batcher(doubled, thread, max_items=3)
    answers = await asyncio.gather(*map(batcher.submit, range(15)))
    assert answers == [2 * item for item in range(15)]


async def test_items_of_several_callers_share_a_call(thread: ThreadPoolExecutor) -> None:
    sizes: list[int] = []

    def measured(items: list[int]) -> list[int]:
        sizes.append(len(items))
        return items

    batcher = Batcher(measured, thread, max_items=4)
    await asyncio.gather(*map(batcher.submit, range(8)))
    assert sizes == [4, 4]


async def test_what_waits_while_a_call_runs_goes_into_the_next_one(thread: ThreadPoolExecutor) -> None:
    started, gate = threading.Event(), threading.Event()
    batches: list[list[str]] = []

    def gated(items: list[str]) -> list[str]:
        batches.append(items)
        started.set()
        gate.wait(10)
        return items

    batcher = Batcher(gated, thread, max_items=8)
    first = asyncio.create_task(batcher.submit("a"))
    await asyncio.to_thread(started.wait, 10)
    later = [asyncio.create_task(batcher.submit(name)) for name in ("b", "c")]
    await asyncio.gather(asyncio.to_thread(gate.set))
    await asyncio.gather(first, *later)
    assert batches == [["a"], ["b", "c"]]


async def test_only_the_guilty_item_gets_the_error(thread: ThreadPoolExecutor) -> None:
    def picky(items: list[int]) -> list[int]:
        if 13 in items:
            raise ValueError("13")
        return items

    batcher = Batcher(picky, thread, max_items=16)
    *others, guilty = await asyncio.gather(
        *map(batcher.submit, (1, 2, 3, 12, 14, 13)), return_exceptions=True
    )
    assert others == [1, 2, 3, 12, 14]
    assert isinstance(guilty, ValueError)


async def test_an_error_that_concerns_all_is_not_asked_for_again(thread: ThreadPoolExecutor) -> None:
    calls: list[int] = []

    def away(items: list[int]) -> list[int]:
        calls.append(len(items))
        raise ConnectionError

    batcher = Batcher(away, thread, max_items=16, common_error=ConnectionError)
    answers = await asyncio.gather(*map(batcher.submit, range(5)), return_exceptions=True)
    assert [type(answer) for answer in answers] == [ConnectionError] * 5
    assert calls == [5]


async def test_a_call_that_gives_too_few_results_is_an_error_not_a_mix_up(thread: ThreadPoolExecutor) -> None:
    batcher = Batcher(lambda items: items[:-1], thread, max_items=4)
    answers = await asyncio.gather(*map(batcher.submit, (1, 2)), return_exceptions=True)
    assert all(isinstance(answer, ValueError) for answer in answers)


async def test_a_caller_that_gave_up_does_not_hold_the_others(thread: ThreadPoolExecutor) -> None:
    batcher = Batcher(doubled, thread, max_items=2)
    callers = [asyncio.create_task(batcher.submit(item)) for item in (1, 2, 3)]
    await asyncio.wait(callers, timeout=0)
    callers[0].cancel()
    assert await asyncio.gather(*callers[1:]) == [4, 6]
